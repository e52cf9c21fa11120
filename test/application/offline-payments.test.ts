import { expect } from 'chai';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Product } from '#domain/product.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere, page, times } from './fixture.ts';
import { aWorld } from './world.ts';

const cash = { paymentMethod: 'offline' };

describe('Payments without a provider', () => {
  const world = ofEachTest(aWorld);
  let tea: Product;
  let order: Order;
  beforeEach(async () => {
    tea = await world.product({ price: euros(450), stock: 10 });
    order = await world.order(world.ada, tea, 2);
  });

  const orderNow = (): Promise<Order> => world.current('orders', order);

  describe('that are offline', () => {
    it('succeed at once with the shop’s reference, and make the order paid', async () => {
      const payment = await world.pay(world.staff, order, { ...cash, reference: 'Receipt 7' });
      expect(payment).to.deep.include({
        ...{ orderId: order.id, userId: world.ada.userId, amount: euros(900), refunded: euros(0) },
        ...{ status: 'succeeded', provider: 'offline', providerReference: 'Receipt 7', failure: null },
      });
      expect(await world.find('payments', payment)).to.deep.equal(payment);
      expect(await orderNow()).to.include({ status: 'paid', paying: false });
      expect(world.provider.calls).to.deep.equal([]);
    });

    it('need no reference, and have one of at most 200 characters', async () => {
      const tooLong = world.pay(world.staff, order, { ...cash, reference: 'x'.repeat(201) });
      expect(await invalidFieldsOf(tooLong)).to.deep.equal(['reference']);
      expect(await world.pay(world.staff, order, cash)).to.include({ providerReference: null });
    });

    it('are taken in one unit of work, so that no other process can find them pending', async () => {
      let units = 0;
      const count = async (): Promise<void> => {
        units += 1;
      };
      const { send } = world.elsewhere({ after: count });
      const input = { orderId: order.id, ...cash };
      await send(world.useCases.payments.pay, world.staff, input, 'k-1');
      expect(units).to.equal(1);
      expect(await send(world.useCases.payments.pay, world.staff, input, 'k-1')).to.have.property('replayed');
      world.clock.pass(times.reconcileAfter);
      expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 0, errors: [] });
    });

    it('need an existing order, then staff, then its total, then a pending order', async () => {
      const wrong = { ...cash, amount: euros(1) };
      const missing = { ...order, id: nowhere<Order['id']>() };
      expect(await kindOf(world.pay(world.ada, missing, wrong))).to.equal('not-found');
      expect(await kindOf(world.pay(world.ada, order, wrong))).to.equal('forbidden');
      expect(await kindOf(world.pay(world.bob, order, wrong))).to.equal('forbidden');
      expect(await kindOf(world.pay(world.staff, order, wrong))).to.equal('validation');
      expect(await world.pay(world.admin, order, { ...cash, amount: euros(900) })).to.include({
        status: 'succeeded',
      });
      expect(await kindOf(world.pay(world.staff, order, cash))).to.equal('invalid-state');
    });

    it('wait until a payment at the provider has ended', async () => {
      const late = world.provider.answersLate();
      const paying = world.pay(world.ada, order);
      await late.called;
      expect(await kindOf(world.pay(world.staff, order, cash))).to.equal('invalid-state');
      late.respond();
      expect(await paying).to.include({ provider: 'scripted' });
    });

    it('follow a declined payment', async () => {
      world.provider.declines();
      expect(await kindOf(world.pay(world.ada, order))).to.equal('payment-declined');
      expect(await world.pay(world.staff, order, cash)).to.include({ provider: 'offline' });
    });

    it('are the only ones with a reference', async () => {
      for (const caller of [world.ada, world.staff]) {
        const paying = world.pay(caller, order, { paymentMethod: 'tok', reference: 'Receipt 7' });
        expect(await invalidFieldsOf(paying)).to.deep.equal(['reference']);
      }
      expect(await orderNow()).to.deep.equal(order);
    });

    it('never reach the provider, even when an earlier release passed the token on', async () => {
      world.provider.timesOut();
      const input = { orderId: order.id, paymentMethod: 'tok' };
      await kindOf(world.send(world.useCases.payments.pay, world.ada, input, 'k-1'));
      const { pay } = world.useCases.payments;
      const { rows } = await world.read(world.useCases.payments.list, world.ada, { filter: {}, page });
      const pending = rows[0] ?? expect.fail('There is none.');
      await pay(world.ada, { orderId: order.id, ...cash }).call(pending);
      expect(world.provider.calls.map(({ name }) => name)).to.deep.equal(['charge', 'closeCharge']);
    });
  });

  describe('are refunded', () => {
    let payment: Payment;
    beforeEach(async () => {
      payment = await world.pay(world.staff, order, { ...cash, reference: 'Receipt 7' });
    });

    it('without a call to the provider, in parts and then in full', async () => {
      const first = await world.refund(world.staff, payment, { amount: euros(400), reason: 'Cold' });
      expect(first).to.deep.include({
        ...{ paymentId: payment.id, amount: euros(400), reason: 'Cold', status: 'succeeded', version: 1 },
        ...{ provider: 'offline', chargeReference: null, providerReference: null, failure: null },
      });
      expect(await world.find('refunds', first)).to.deep.equal(first);
      expect(await world.current('payments', payment)).to.deep.include({
        ...{ status: 'partially_refunded', refunded: euros(400), refunding: euros(0) },
      });
      expect(await orderNow()).to.include({ status: 'paid' });
      expect((await world.refund(world.staff, payment)).amount).to.deep.equal(euros(500));
      expect(await world.current('payments', payment)).to.deep.include({ status: 'refunded' });
      expect(await orderNow()).to.include({ status: 'refunded' });
      expect(await world.stockOf(tea)).to.equal(10);
      expect(world.provider.calls).to.deep.equal([]);
    });

    it('never by more than was paid, also by twenty at once', async () => {
      expect(await kindOf(world.refund(world.staff, payment, { amount: euros(901) }))).to.equal(
        'amount-exceeded',
      );
      expect(await invalidFieldsOf(world.refund(world.staff, payment, { amount: euros(0) }))).to.deep.equal([
        'amount.amount',
      ]);
      const give = () => world.refund(world.staff, payment, { amount: euros(200) });
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, give));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(4);
      expect(await world.current('payments', payment)).to.deep.include({ refunded: euros(800) });
    });

    it('whatever provider is configured by then', async () => {
      world.provider.rename('another');
      expect(await world.refund(world.staff, payment)).to.include({ status: 'succeeded' });
    });

    it('once for a key', async () => {
      const input = { paymentId: payment.id, amount: euros(900), reason: null };
      const { create } = world.useCases.refunds;
      await world.send(create, world.staff, input, 'k-1');
      expect(await world.send(create, world.staff, input, 'k-1')).to.have.property('replayed');
      expect(await world.current('payments', payment)).to.deep.include({ refunded: euros(900) });
      expect(await world.stockOf(tea)).to.equal(10);
    });
  });

  describe('of 0', () => {
    let gift: Product;
    let payment: Payment;
    beforeEach(async () => {
      gift = await world.product({ price: euros(0), stock: 3 });
      ({ payment, order } = await world.purchase(gift));
    });

    it('are refunded by 0, and order and stock follow', async () => {
      expect(await world.stockOf(gift)).to.equal(2);
      const refund = await world.refund(world.staff, payment);
      expect(refund).to.deep.include({
        ...{ amount: euros(0), status: 'succeeded', provider: 'scripted' },
        ...{ chargeReference: null, providerReference: null },
      });
      expect(await world.current('payments', payment)).to.deep.include({
        ...{ status: 'refunded', refunded: euros(0), refunding: euros(0) },
      });
      expect(await orderNow()).to.include({ status: 'refunded' });
      expect(await world.stockOf(gift)).to.equal(3);
      expect(world.provider.calls).to.deep.equal([]);
    });

    it('are refunded once', async () => {
      await world.refund(world.staff, payment);
      expect(await kindOf(world.refund(world.staff, payment))).to.equal('invalid-state');
      expect(await world.stockOf(gift)).to.equal(3);
    });

    it('are refunded by no amount that is given, be it 0', async () => {
      const none = world.refund(world.staff, payment, { amount: euros(0) });
      expect(await invalidFieldsOf(none)).to.deep.equal(['amount.amount']);
      expect(await kindOf(world.refund(world.staff, payment, { amount: euros(1) }))).to.equal(
        'amount-exceeded',
      );
    });

    it('are refunded whatever provider is configured by then, and leave a fulfilled order fulfilled', async () => {
      await world.become(world.staff, order, 'fulfilled');
      world.provider.rename('another');
      expect(await world.refund(world.staff, payment)).to.include({ status: 'succeeded' });
      expect(await orderNow()).to.include({ status: 'fulfilled' });
      expect(await world.stockOf(gift)).to.equal(2);
    });

    it('may be offline', async () => {
      const placed = await world.order(world.ada, gift);
      const free = await world.pay(world.staff, placed, { ...cash, reference: '' });
      expect(free).to.deep.include({ amount: euros(0), provider: 'offline', providerReference: '' });
      expect(await world.refund(world.staff, free)).to.include({ provider: 'offline', status: 'succeeded' });
    });
  });
});
