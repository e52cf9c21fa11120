import { expect } from 'chai';
import fc from 'fast-check';
import { broken, valid } from './arbitrary.ts';
import type { Client } from './client.ts';
import { type Operation, operations } from './described.ts';
import { describeServiceOnMemory } from './service.ts';
import { newOrder, newPaidOrder, newProduct, once, paymentsOf } from './shop.ts';

/** How many requests are made of each operation, of either kind. */
const requests = 12;

describeServiceOnMemory('Requests that are made of the description', {}, (service) => {
  let staff: Client;
  /** Ids of what there is, by the names that requests give them. */
  let known: Readonly<Record<string, readonly string[]>>;

  beforeEach(async () => {
    staff = await service.person('staff');
    const product = await newProduct(service, { stock: 1000 });
    const [order, paid] = [await newOrder(staff, product), await newPaidOrder(staff, product)];
    const [payment] = await paymentsOf(staff, paid);
    const users = [(await service.person('customer')).userId];
    known = {
      product_id: [product.id],
      order_id: [order.id, paid.id],
      payment_id: [payment.id],
      user_id: users,
      ...{ '/v1/products/{id}': [product.id], '/v1/payments/{id}': [payment.id] },
    };
  });

  const oneOf = (name: string): fc.Arbitrary<string> => {
    const ids = known[name];
    return ids === undefined
      ? fc.uuid({ version: 7 })
      : fc.oneof(fc.constantFrom(...ids), fc.uuid({ version: 7 }));
  };

  /** Names things that there are, now and then. */
  const withKnownIds = (body: unknown): fc.Arbitrary<unknown> => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return fc.constant(body);
    const named = Object.keys(body).filter((name) => known[name] !== undefined);
    return fc
      .record(Object.fromEntries(named.map((name) => [name, oneOf(name)])))
      .map((ids) => ({ ...body, ...ids }));
  };

  const addressOf = ({ path }: Operation): fc.Arbitrary<string> => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return fc
      .tuple(...names.map((name) => oneOf(name === 'id' ? path : name)))
      .map((ids) =>
        names.reduce((address, name, place) => address.replace(`{${name}}`, ids[place] ?? ''), path),
      );
  };

  for (const operation of operations) {
    const { method, path, requestBody } = operation;
    const schema = requestBody?.content['application/json'].schema;
    for (const [kind, bodyOf] of Object.entries({
      'as they should be': valid,
      'as they should not be': broken,
    })) {
      if (schema === undefined && bodyOf === broken) continue;
      it(`to ${method} ${path}, ${kind}, are answered as it says`, async () => {
        const body = schema === undefined ? fc.constant(undefined) : bodyOf(schema).chain(withKnownIds);
        await fc.assert(
          fc.asyncProperty(addressOf(operation), body, async (address, sent) => {
            const caller = path.includes('users') || path.includes('api-keys') ? service.operator : staff;
            // Whatever comes back is held to the description by the client.
            const { status, text } = await caller.send(method, address, sent, method === 'GET' ? {} : once());
            expect(status, text).to.be.below(500);
          }),
          { numRuns: requests },
        );
      });
    }
  }
});
