import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { Order } from '#domain/order.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import type { RefundId } from '#domain/refund.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('Refunds', () => {
  const world = ofEachTest(aWorld);
  let payment: Payment;
  let order: Order;
  beforeEach(async () => {
    ({ payment, order } = await world.purchase(await world.product({ price: euros(1000) })));
  });

  const give = (amount?: number) =>
    world.refund(world.staff, payment, amount === undefined ? {} : { amount: euros(amount) });

  const paymentNow = (): Promise<Payment> => world.current('payments', payment);
  const statusNow = async (): Promise<string> => (await world.current('orders', order)).status;

  /** What has gone back to the payer, as the provider knows it. */
  const returned = (): number =>
    world.provider.moved.slice(1).reduce((sum, { amount }) => sum + amount.amount, 0);

  describe('that are given', () => {
    it('are full unless an amount is given', async () => {
      const refund = await give();
      expect(refund).to.deep.include({
        paymentId: payment.id,
        chargeReference: payment.providerReference,
        userId: world.ada.userId,
        amount: euros(1000),
        reason: null,
        status: 'succeeded',
        providerReference: `ref_${refund.id}`,
      });
      expect(await world.find('refunds', refund)).to.deep.equal(refund);
      expect(await paymentNow()).to.deep.include({ status: 'refunded', refunded: euros(1000) });
      expect(await statusNow()).to.equal('refunded');
      expect(returned()).to.equal(1000);
    });

    it('in part leave the rest refundable, and the order unchanged', async () => {
      await give(400);
      expect(await paymentNow()).to.deep.include({ status: 'partially_refunded', refunded: euros(400) });
      expect(await statusNow()).to.equal('paid');
    });

    it('in parts add up to the whole, and the last can be what is left', async () => {
      await give(400);
      await give(100);
      expect((await give()).amount).to.deep.equal(euros(500));
      expect(await paymentNow()).to.deep.include({ status: 'refunded', refunded: euros(1000) });
      expect(await statusNow()).to.equal('refunded');
      expect(returned()).to.equal(1000);
    });

    it('leave a fulfilled order fulfilled', async () => {
      await world.become(world.staff, order, 'fulfilled');
      await give();
      expect(await paymentNow()).to.include({ status: 'refunded' });
      expect(await statusNow()).to.equal('fulfilled');
    });

    it('have a reason if one is given', async () => {
      const refund = await world.refund(world.staff, payment, { reason: 'Broken' });
      expect(refund.reason).to.equal('Broken');
    });

    it('are rejected when the reason is invalid, and change nothing', async () => {
      const refund = world.refund(world.staff, payment, { reason: 'x'.repeat(501) });
      expect(await invalidFieldsOf(refund)).to.deep.equal(['reason']);
      expect(await paymentNow()).to.deep.equal(payment);
    });

    it('are made by staff and administrators, not by customers', async () => {
      expect(await kindOf(world.refund(world.ada, payment))).to.equal('forbidden');
      expect(await world.refund(world.admin, payment, { amount: euros(1) })).to.include({
        status: 'succeeded',
      });
    });

    it('need an existing payment', async () => {
      const refund = world.refund(world.staff, { ...payment, id: nowhere<PaymentId>() });
      expect(await kindOf(refund)).to.equal('not-found');
    });

    it('are in the payment’s currency', async () => {
      const amount = { amount: 1, currency: 'USD' };
      const refund = world.refund(world.staff, payment, { amount });
      expect(await invalidFieldsOf(refund)).to.deep.equal(['amount.currency']);
    });
  });

  describe('never exceed the payment', () => {
    it('at once', async () => {
      expect(await kindOf(give(1001))).to.equal('amount-exceeded');
      expect(await paymentNow()).to.deep.equal(payment);
      expect(returned()).to.equal(0);
    });

    it('one after the other', async () => {
      await give(600);
      expect(await kindOf(give(401))).to.equal('amount-exceeded');
      await give(400);
      expect(await kindOf(give(1))).to.equal('invalid-state');
      expect(await kindOf(give())).to.equal('invalid-state');
      expect(returned()).to.equal(1000);
    });

    it('while another is pending', async () => {
      const late = world.provider.answersLate();
      const first = give(600);
      await late.called;
      expect(await kindOf(give(401))).to.equal('amount-exceeded');
      expect((await give()).amount).to.deep.equal(euros(400));
      expect(await kindOf(give())).to.equal('amount-exceeded');
      expect(await statusNow()).to.equal('paid');
      late.respond();
      expect((await first).status).to.equal('succeeded');
      expect(await paymentNow()).to.deep.include({ status: 'refunded', refunding: euros(0) });
      expect(await statusNow()).to.equal('refunded');
    });

    it('when twenty are made concurrently', async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => give(300)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(3);
      expect(returned()).to.equal(900);
      expect(await paymentNow()).to.deep.include({ refunded: euros(900), refunding: euros(0) });
    });

    it('with an amount of 0, which is rejected', async () => {
      expect(await kindOf(give(0))).to.equal('validation');
      expect(await paymentNow()).to.deep.equal(payment);
    });
  });

  describe('are rejected', () => {
    it('when the payment is pending', async () => {
      const unpaid = await world.order(world.ada, await world.product());
      world.provider.fails();
      expect(await kindOf(world.pay(world.ada, unpaid))).to.equal('provider-failed');
      const { list } = world.useCases.payments;
      const found = await world.read(list, world.ada, { filter: { orderId: unpaid.id }, page });
      for (const pending of found.rows) {
        expect(await kindOf(world.refund(world.staff, pending))).to.equal('invalid-state');
      }
      expect(found.rows).to.have.lengthOf(1);
    });

    it('when the payment was declined', async () => {
      const unpaid = await world.order(world.ada, await world.product());
      world.provider.declines();
      expect(await kindOf(world.pay(world.ada, unpaid))).to.equal('payment-declined');
      const { list } = world.useCases.payments;
      const found = await world.read(list, world.ada, { filter: { orderId: unpaid.id }, page });
      for (const failed of found.rows) {
        expect(await kindOf(world.refund(world.staff, failed))).to.equal('invalid-state');
      }
      expect(found.rows).to.have.lengthOf(1);
    });
  });

  describe('that the provider declines', () => {
    it('are stored as failed, and everything stays refundable', async () => {
      world.provider.declines('Too late.');
      expect(await kindOf(give())).to.equal('payment-declined');
      const { rows } = await world.read(world.useCases.refunds.list, world.staff, { filter: {}, page });
      expect(rows).to.have.lengthOf(1);
      expect(rows[0]).to.deep.include({
        status: 'failed',
        failure: { code: 'card_declined', message: 'Too late.' },
      });
      expect(await paymentNow()).to.deep.include({ status: 'succeeded', refunding: euros(0) });
      expect(await statusNow()).to.equal('paid');
      expect((await give()).amount).to.deep.equal(euros(1000));
    });

    it('keep earlier refunds', async () => {
      await give(400);
      world.provider.declines();
      expect(await kindOf(give(600))).to.equal('payment-declined');
      expect(await paymentNow()).to.deep.include({
        status: 'partially_refunded',
        refunded: euros(400),
        refunding: euros(0),
      });
    });
  });

  it('whose outcome is unknown keep their amount reserved', async () => {
    world.provider.timesOut();
    expect(await kindOf(give(600))).to.equal('provider-timeout');
    expect(await paymentNow()).to.deep.include({ refunded: euros(0), refunding: euros(600) });
    expect(await kindOf(give(401))).to.equal('amount-exceeded');
    await give(400);
    expect(returned()).to.equal(1000);
  });

  describe('that are read', () => {
    it('are read by staff and the payment’s owner only', async () => {
      const { get } = world.useCases.refunds;
      const refund = await give(1);
      for (const reader of [world.ada, world.staff, world.admin]) {
        expect(await world.read(get, reader, refund.id)).to.deep.equal(refund);
      }
      expect(await kindOf(world.read(get, world.bob, refund.id))).to.equal('forbidden');
      expect(await kindOf(world.read(get, world.bob, nowhere<RefundId>()))).to.equal('not-found');
    });

    it('are listed for the owner; staff list all', async () => {
      const refund = await give(1);
      const rowsFor = async (caller: Caller, filter = {}) =>
        (await world.read(world.useCases.refunds.list, caller, { filter, page })).rows;
      expect(await rowsFor(world.ada)).to.deep.equal([refund]);
      expect(await rowsFor(world.bob)).to.deep.equal([]);
      expect(await rowsFor(world.bob, { paymentId: payment.id })).to.deep.equal([]);
      expect(await rowsFor(world.bob, { userId: world.ada.userId })).to.deep.equal([]);
      expect(await rowsFor(world.staff, { paymentId: payment.id })).to.deep.equal([refund]);
      expect(await rowsFor(world.staff, { paymentId: nowhere() })).to.deep.equal([]);
    });
  });
});
