import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { describeReadOnly } from '../support/limits.ts';
import { describeService } from '../support/service.ts';
import {
  addItem,
  firstItem,
  newOrder,
  newPaidOrder,
  newProduct,
  orderNow,
  pay,
  paymentsOf,
  refund,
} from '../support/shop.ts';

describeService('The state of an order', {}, (service) => {
  let customer: Client;
  let other: Client;
  let staff: Client;
  let product: Json;

  before(async () => {
    customer = await service.person('customer');
    other = await service.person('customer');
    staff = await service.person('staff');
    product = await newProduct(service);
  });

  const become = (who: Client, { id }: Json, status: unknown, headers = {}) =>
    who.patch(`/v1/orders/${id}`, { status }, headers);

  /** How to get an order into each state. */
  const states: Readonly<Record<string, () => Promise<Json>>> = {
    pending: () => newOrder(customer, product),
    paid: () => newPaidOrder(customer, product),
    fulfilled: async () => expectOne(await become(staff, await newPaidOrder(customer, product), 'fulfilled')),
    canceled: async () => expectOne(await become(customer, await newOrder(customer, product), 'canceled')),
    refunded: async () => {
      const paid = await newPaidOrder(customer, product);
      const [payment] = await paymentsOf(customer, paid);
      expectCreated(await refund(staff, payment), '/v1/refunds');
      return orderNow(customer, paid);
    },
  };

  /** What staff can make of an order by hand. */
  const possible: Readonly<Record<string, readonly string[]>> = {
    pending: ['canceled'],
    paid: ['fulfilled'],
  };

  for (const [state, make] of Object.entries(states)) {
    it(`${state} becomes ${possible[state]?.join() ?? 'nothing'} by hand, and no other`, async () => {
      const before = await make();
      expect(before.status).to.equal(state);
      const refused = Object.keys(states).filter((next) => !possible[state]?.includes(next));
      for (const next of refused) expectError(await become(staff, before, next), 'INVALID_STATE');
      expect(await orderNow(staff, before)).to.deep.equal(before);
      for (const next of possible[state] ?? []) {
        const after = expectOne(await become(staff, before, next));
        expect(after).to.deep.equal({
          ...before,
          status: next,
          version: before.version + 1,
          updated_at: after.updated_at,
        });
      }
    });

    if (state !== 'pending') {
      it(`${state} is no longer that of a basket or of a bill`, async () => {
        const closed = await make();
        const item = await firstItem(customer, closed);
        const path = `/v1/orders/${closed.id}/items/${item.id}`;
        expectError(await addItem(customer, closed, product), 'INVALID_STATE');
        expectError(await customer.patch(path, { quantity: 2 }), 'INVALID_STATE');
        expectError(await customer.delete(path), 'INVALID_STATE');
        expectError(await pay(customer, closed), 'INVALID_STATE');
        expect(await orderNow(customer, closed)).to.deep.equal(closed);
      });
    }
  }

  it('is changed by its owner to canceled and to nothing else', async () => {
    const unpaid = await newOrder(customer, product);
    for (const next of ['paid', 'refunded', 'pending']) {
      expectError(await become(customer, unpaid, next), 'INVALID_STATE');
    }
    expectError(await become(customer, unpaid, 'fulfilled'), 'FORBIDDEN');
    expect(expectOne(await become(customer, unpaid, 'canceled')).status).to.equal('canceled');
    expectError(await become(customer, await newPaidOrder(customer, product), 'fulfilled'), 'FORBIDDEN');
  });

  it('is not changed by another customer', async () => {
    expectError(await become(other, await newOrder(customer, product), 'canceled'), 'FORBIDDEN');
  });

  it('is one of those that there are', async () => {
    const unpaid = await newOrder(customer, product);
    for (const status of ['open', 'Canceled', '', 1, null]) {
      expectInvalid(await become(customer, unpaid, status), 'status');
    }
  });

  it('stays, and the version too, when nothing is to change', async () => {
    const unpaid = await newOrder(customer, product);
    expect(expectOne(await customer.patch(`/v1/orders/${unpaid.id}`, {}))).to.deep.equal(unpaid);
  });

  it('is changed only by whoever has seen it, if that is asked for', async () => {
    const unpaid = await newOrder(customer, product);
    const stale = { 'If-Match': '"2"' };
    expectError(await become(customer, unpaid, 'canceled', stale), 'PRECONDITION_FAILED');
    expectOne(await become(customer, unpaid, 'canceled', { 'If-Match': '"1"' }));
  });

  it('is changed by one of two who cancel at once', async () => {
    const unpaid = await newOrder(customer, product);
    const answers = await Promise.all([
      become(customer, unpaid, 'canceled'),
      become(staff, unpaid, 'canceled'),
    ]);
    expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
  });

  describe('is all of an order that can be written:', () => {
    const readOnly = ['user_id', 'number', 'currency', 'total', 'item_count', 'product_id', 'quantity'];
    describeReadOnly(readOnly, {}, async (body) => {
      const { id } = await newOrder(customer, product);
      return customer.patch(`/v1/orders/${id}`, body);
    });
  });
});
