import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { describeReadOnly } from '../support/limits.ts';
import { describeService, registered } from '../support/service.ts';
import {
  addItem,
  firstItem,
  newOrder,
  newPaidOrder,
  offered,
  orderNow,
  pay,
  paymentsOf,
  refund,
} from '../support/shop.ts';

describeService('The status of an order', {}, (service) => {
  const customer = registered(service, 'customer');
  const other = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service);

  const become = (who: Client, { id }: Json, status: unknown, headers = {}) =>
    who.patch(`/v1/orders/${id}`, { status }, headers);

  /** Brings an order into each status. */
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

  /** The statuses that staff can set. */
  const possible: Readonly<Record<string, readonly string[]>> = {
    pending: ['canceled'],
    paid: ['fulfilled'],
  };

  for (const [state, make] of Object.entries(states)) {
    it(`${state} can be set to ${possible[state]?.join() ?? 'nothing'} by staff, and to no other`, async () => {
      const before = await make();
      expect(before.status).to.equal(state);
      const rejected = Object.keys(states).filter((next) => !possible[state]?.includes(next));
      for (const next of rejected) expectError(await become(staff, before, next), 'INVALID_STATE');
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
      it(`${state} allows no change of items and no payment`, async () => {
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

  it('can be set by its owner to canceled only', async () => {
    const unpaid = await newOrder(customer, product);
    for (const next of ['paid', 'refunded', 'pending']) {
      expectError(await become(customer, unpaid, next), 'INVALID_STATE');
    }
    expectError(await become(customer, unpaid, 'fulfilled'), 'FORBIDDEN');
    expect(expectOne(await become(customer, unpaid, 'canceled')).status).to.equal('canceled');
    expectError(await become(customer, await newPaidOrder(customer, product), 'fulfilled'), 'FORBIDDEN');
  });

  it('cannot be set by another customer', async () => {
    expectError(await become(other, await newOrder(customer, product), 'canceled'), 'FORBIDDEN');
  });

  it('must be a known status', async () => {
    const unpaid = await newOrder(customer, product);
    for (const status of ['open', 'Canceled', '', 1, null]) {
      expectInvalid(await become(customer, unpaid, status), 'status');
    }
  });

  it('stays with its version when nothing changes', async () => {
    const unpaid = await newOrder(customer, product);
    expect(expectOne(await customer.patch(`/v1/orders/${unpaid.id}`, {}))).to.deep.equal(unpaid);
  });

  it('is changed by one of two concurrent cancellations', async () => {
    const unpaid = await newOrder(customer, product);
    const responses = await Promise.all([
      become(customer, unpaid, 'canceled'),
      become(staff, unpaid, 'canceled'),
    ]);
    expect(responses.map(({ status }) => status)).to.have.members([200, 409]);
  });

  describe('changes without what is computed, or given at creation only:', () => {
    const computed = ['number', 'currency', 'items_total', 'total', 'taxes', 'item_count'];
    const readOnly = ['user_id', 'product_id', 'quantity', ...computed];
    describeReadOnly(readOnly, {}, async (body) => {
      const { id } = await newOrder(customer, product);
      return customer.patch(`/v1/orders/${id}`, body);
    });
  });
});
