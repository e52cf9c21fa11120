import { expect } from 'chai';
import type { ErrorCode } from '#adapters/http/openapi/error-catalogue.ts';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { served } from '../support/described.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import {
  addItem,
  newOrder,
  newPayment,
  newProduct,
  nowhere,
  offered,
  once,
  order,
  pay,
  refund,
  tea,
} from '../support/shop.ts';

describeServiceInSimulatedTime('The example of an error', { PAYMENT_TIMEOUT_MS: '200' }, (service) => {
  let customer: Client;
  let staff: Client;
  const product = offered(service, { stock: 1000 });
  let pending: Json;

  before(async () => {
    [customer, staff] = [await service.person('customer'), await service.person('staff')];
    pending = await newOrder(customer, product);
  });

  /** How to provoke each code. The others need a broken server, or plain HTTP from another machine. */
  const meet: Partial<Record<ErrorCode, () => Promise<ApiResponse>>> = {
    BAD_REQUEST: () => staff.post('/v1/products', '{'),
    IDEMPOTENCY_KEY_MISSING: () =>
      customer.post('/v1/payments', { order_id: pending.id, payment_method: 'tok_ok' }),
    IDEMPOTENCY_KEY_INVALID: () => staff.post('/v1/products', tea, once('two words')),
    UNAUTHORIZED: () => service.stranger.get('/v1/products'),
    FORBIDDEN: () => customer.post('/v1/products', tea),
    NOT_FOUND: () => staff.get(`/v1/orders/${nowhere}`),
    PRODUCT_NOT_FOUND: () => staff.get(`/v1/products/${nowhere}`),
    CONFLICT: async () => {
      const twin = { ...tea, sku: 'TEA-1' };
      await staff.post('/v1/products', twin);
      return staff.post('/v1/products', twin);
    },
    INVALID_STATE: async () => {
      const paid = await newOrder(customer, product);
      await newPayment(customer, paid);
      return addItem(customer, paid, product);
    },
    OUT_OF_STOCK: () => order(customer, product, 100_000),
    PRODUCT_UNAVAILABLE: async () => order(staff, await newProduct(service, { status: 'archived' })),
    AMOUNT_EXCEEDED: async () => {
      const payment = await newPayment(customer, await newOrder(customer, product));
      return refund(staff, payment, { amount: { amount: 1_000_000, currency: 'EUR' } });
    },
    IDEMPOTENCY_KEY_IN_PROGRESS: async () => {
      const slow = await newOrder(customer, product);
      const [one, other] = await Promise.all([
        pay(customer, slow, 'tok_timeout', 'the-same'),
        pay(customer, slow, 'tok_timeout', 'the-same'),
      ]);
      return one.status === 409 ? one : other;
    },
    PRECONDITION_FAILED: () => staff.patch(`/v1/products/${product.id}`, {}, { 'If-Match': '"99"' }),
    PAYLOAD_TOO_LARGE: () => staff.post('/v1/products', `"${'x'.repeat(102_400)}"`),
    UNSUPPORTED_MEDIA_TYPE: () => staff.post('/v1/products', 'tea', { 'Content-Type': 'text/plain' }),
    VALIDATION_ERROR: () => order(customer, product, 0),
    IDEMPOTENCY_KEY_REUSED: async () => {
      const unpaid = await newOrder(customer, product);
      await pay(customer, unpaid, 'tok_ok', 'for-tea');
      return pay(customer, unpaid, 'tok_slow', 'for-tea');
    },
    PAYMENT_DECLINED: async () => pay(customer, await newOrder(customer, product), 'tok_declined'),
    UPSTREAM_FAILED: async () => pay(customer, await newOrder(customer, product), 'tok_error'),
    UPSTREAM_TIMEOUT: async () => pay(customer, await newOrder(customer, product), 'tok_timeout'),
  };

  for (const [code, met] of Object.entries(meet)) {
    it(`equals the response of the service (${code})`, async () => {
      const { error } = (await met()).body;
      expect(error).to.deep.equal(served.components.examples[code].value.error);
    });
  }
});
