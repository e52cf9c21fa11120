import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError, expectList, expectOne } from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { describeServiceInSimulatedTime, registered } from '../support/service.ts';
import { euros, newOrder, offered, once, orderNow, pay, refund } from '../support/shop.ts';

const timeoutMs = 25_000;

interface Paid {
  readonly order: Json;
  readonly payment: Json;
}

describeServiceInSimulatedTime(
  'Money that the sandbox moves later',
  { PROVIDER_EVENTS_POLL_MS: '100' },
  (service) => {
    const customer = registered(service, 'customer');
    const staff = registered(service, 'staff');
    const product = offered(service, { price: euros(1000) });
    let outside: Paid;
    let late: Paid;
    let lateRefund: Json;

    before(async () => {
      // At once, because the sandbox takes its time for each.
      outside = await paidWith('tok_refunded_outside');
      late = await paidWith('tok_refund_fails_late');
      lateRefund = expectCreated(await refund(staff, late.payment), '/v1/refunds');
      expect(lateRefund.status).to.equal('succeeded');
    });

    /** An order that is paid by a token. */
    const paidWith = async (token: string): Promise<Paid> => {
      const order = await newOrder(customer, product);
      return { order, payment: expectCreated(await pay(customer, order, token), '/v1/payments') };
    };

    const read = async (path: string): Promise<Json> => expectOne(await staff.get(path));
    const whenRead = (path: string, isReached: (found: Json) => boolean): Promise<Json> =>
      service.until(() => read(path), isReached, timeoutMs);
    const listed = async (path: string): Promise<Json[]> => expectList(await staff.get(path));
    const fulfill = (order: Json) => staff.patch(`/v1/orders/${order.id}`, { status: 'fulfilled' });

    it('is disputed, which keeps it from being refunded and no order from being fulfilled, and is lost', async () => {
      const { order, payment } = await paidWith('tok_dispute');
      const path = `/v1/payments/${payment.id}`;
      const disputed = await whenRead(path, (found) => found.disputed.amount > 0);
      expect(disputed).to.deep.include({ status: 'succeeded', disputed: euros(1000) });
      const [open] = await listed(`/v1/disputes?payment_id=${payment.id}`);
      expect(open).to.deep.include({
        ...{ order_id: order.id, amount: euros(1000), status: 'needs_response' },
      });
      expectError(await refund(staff, payment, { amount: euros(1) }), 'INVALID_STATE');
      expect(expectOne(await fulfill(order)).status).to.equal('fulfilled');
      await whenRead(`/v1/disputes/${open?.id}`, ({ status }) => status === 'lost');
      expect(await read(path)).to.deep.include({ disputed: euros(1000) });
      expectError(await refund(staff, payment, { amount: euros(1) }), 'AMOUNT_EXCEEDED');
    });

    it('is a refund that fails late, whose order stays refunded and whose money can be refunded again', async () => {
      const { order, payment } = late;
      const failed = await whenRead(`/v1/refunds/${lateRefund.id}`, ({ status }) => status === 'failed');
      expect(failed.failure).to.have.all.keys('code', 'message');
      expect(await read(`/v1/payments/${payment.id}`)).to.deep.include({
        ...{ status: 'succeeded', refunded: euros(0) },
      });
      expect((await orderNow(staff, order)).status).to.equal('refunded');
      expectCreated(await refund(staff, payment), '/v1/refunds');
    });

    it('is a refund that the provider makes, which appears as one from there', async () => {
      const { order, payment } = outside;
      await whenRead(`/v1/payments/${payment.id}`, ({ status }) => status === 'refunded');
      const [found, ...others] = await listed(`/v1/refunds?payment_id=${payment.id}`);
      expect(others).to.deep.equal([]);
      expect(found).to.deep.include({
        ...{ origin: 'provider', status: 'succeeded', amount: euros(1000), failure: null },
      });
      expect((await orderNow(staff, order)).status).to.equal('refunded');
    });

    it('is a refund that waits, which is 201 for its key for ever, and keeps its order from being fulfilled', async () => {
      const { order, payment } = await paidWith('tok_refund_pending');
      const key = randomUUID();
      const made = expectCreated(await refund(staff, payment, {}, key), '/v1/refunds');
      expect(made).to.include({ status: 'pending', origin: 'portico', failure: null });
      expect((await orderNow(staff, order)).status).to.equal('paid');
      expectError(await fulfill(order), 'INVALID_STATE');
      await whenRead(`/v1/refunds/${made.id}`, ({ status }) => status === 'succeeded');
      expect(await read(`/v1/payments/${payment.id}`)).to.deep.include({
        ...{ status: 'refunded', refunded: euros(1000) },
      });
      expect((await orderNow(staff, order)).status).to.equal('refunded');
      const replay = await refund(staff, payment, {}, key);
      expect(isReplay(replay)).to.equal(true);
      expect(replay.status).to.equal(201);
      expect(replay.body.data).to.deep.equal(made);
    });

    it('waits for the bank, and is no second payment of its order and not canceled meanwhile', async () => {
      const { order, payment } = await paidWith('tok_processing');
      expect(payment.status).to.equal('processing');
      expectError(await pay(customer, order), 'INVALID_STATE');
      expectError(
        await staff.patch(`/v1/payments/${payment.id}`, { status: 'canceled' }, once()),
        'INVALID_STATE',
      );
    });
  },
  { kind: 'sqlite' },
);
