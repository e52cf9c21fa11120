import { expect } from 'chai';
import fc from 'fast-check';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { type Operation, operationAt, operations } from '../support/described.ts';
import { brokenRequests, type Generated, plainRequests, validRequests } from '../support/requests.ts';
import { describeServiceOnMemory, type Service } from '../support/service.ts';
import { newOrder, newPaidOrder, newProduct, paymentsOf } from '../support/shop.ts';
import { deleteEndpoints, newDisabledEndpoint } from '../support/webhooks.ts';

/** The number of valid, and of invalid, requests for each operation. */
const requests = 12;

/** Error codes of an invalid request, whatever its caller and the stored data. */
const notInOrder = [
  'BAD_REQUEST',
  'IDEMPOTENCY_KEY_MISSING',
  'IDEMPOTENCY_KEY_INVALID',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
];

const assertAll = async (
  arbitrary: fc.Arbitrary<Generated>,
  check: (request: Generated) => Promise<void>,
): Promise<void> => fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: requests, endOnFailure: true });

/** A shop with every kind of resource, and an administrator. */
const shopOf = (service: Service) => {
  let staff: Client;
  let known: Readonly<Record<string, readonly string[]>> = {};

  const open = async (): Promise<void> => {
    staff = await service.person('staff');
    const product = await newProduct(service);
    const [order, paid] = [await newOrder(staff, product), await newPaidOrder(staff, product)];
    const [payment] = await paymentsOf(staff, paid);
    const [item]: Json[] = (await staff.get(`/v1/orders/${paid.id}/items`)).body.data;
    const user = (await service.person('customer')).userId;
    await deleteEndpoints(service);
    const endpoint = await newDisabledEndpoint(service.operator);
    known = {
      product_id: [product.id],
      order_id: [order.id, paid.id],
      payment_id: [payment.id],
      user_id: [user],
      item_id: [item.id],
      endpoint_id: [endpoint.id],
      ...{ '/v1/products/{id}': [product.id], '/v1/payments/{id}': [payment.id] },
      '/v1/webhook-endpoints/{id}': [endpoint.id],
    };
  };

  const callerOf = (path: string): Client => (/users|api-keys|webhook/.test(path) ? service.operator : staff);

  const send = (path: string, { method, address, headers, body }: Generated): Promise<ApiResponse> =>
    callerOf(path).send(method, address, body, headers);

  const follow = (path: string, next: string): Promise<ApiResponse> => callerOf(path).get(next);

  return {
    open,
    send,
    follow,
    known: (name: string): readonly string[] => (Object.hasOwn(known, name) ? known[name] : []) ?? [],
  };
};

const keyMissing = 'IDEMPOTENCY_KEY_MISSING';

/** Whether an optional key is required with some bodies, which no schema can express. */
const needsKeyAtTimes = ({ description }: Operation): boolean =>
  description.includes('an `Idempotency-Key` is required.');

describeServiceOnMemory('Requests generated from the OpenAPI document', {}, (service) => {
  const shop = shopOf(service);

  beforeEach(() => shop.open());

  for (const operation of operations) {
    it(`to ${operation.target} succeed when valid, or fail only for stored data`, async () => {
      await assertAll(validRequests(operation, shop.known), async (request) => {
        // The client throws on a VALIDATION_ERROR, except for rules that no schema can express.
        const { status, body, text } = await shop.send(operation.path, request);
        expect(status, text).to.be.below(500);
        if (!(body?.error?.code === keyMissing && needsKeyAtTimes(operation)))
          expect(body?.error?.code, text).not.to.be.oneOf(notInOrder);
        const next: string | null | undefined = body?.links?.next;
        if (next) expect((await shop.follow(operation.path, next)).status, next).to.equal(200);
      });
    });

    it(`to ${operation.target} are rejected when invalid`, async () => {
      await assertAll(brokenRequests(operation, shop.known), async (request) => {
        const { status, text } = await shop.send(operation.path, request);
        expect(status, text).to.be.within(400, 499);
      });
    });
  }

  for (const target of [
    'POST /v1/products',
    'PATCH /v1/products/{id}',
    'GET /v1/orders',
    'POST /v1/orders',
    'POST /v1/webhook-endpoints',
  ]) {
    it(`to ${target} succeed, except for a duplicate of a unique value`, async () => {
      const statuses: number[] = [];
      const operation = operationAt(target);
      await assertAll(plainRequests(operation, shop.known), async (request) => {
        const { status, text } = await shop.send(operation.path, request);
        expect(status, text).to.be.oneOf([200, 201, 409]);
        statuses.push(status);
      });
      expect(statuses.some((status) => status < 300)).to.equal(true);
    });
  }
});
