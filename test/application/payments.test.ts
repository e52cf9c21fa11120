import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { Order, OrderId } from '#domain/order.ts';
import type { PaymentId } from '#domain/payment.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('Payments', () => {
  const world = ofEachTest(aWorld);
  let order: Order;
  beforeEach(async () => {
    order = await world.order(world.ada, await world.product({ price: euros(450) }), 2);
  });

  describe('that are made', () => {
    it('charge the order’s total once, and make the order paid', async () => {
      const payment = await world.pay(world.ada, order);
      expect(payment).to.deep.include({
        orderId: order.id,
        userId: world.ada.userId,
        amount: euros(900),
        refunded: euros(0),
        status: 'succeeded',
        provider: 'scripted',
        providerReference: `ref_${payment.id}`,
        failure: null,
      });
      expect(await world.find('payments', payment)).to.deep.equal(payment);
      expect(await world.current('orders', order)).to.include({ status: 'paid', paying: false });
      expect(world.provider.moved).to.deep.equal([{ id: payment.id, amount: euros(900) }]);
    });

    it('call the provider once, for the charge', async () => {
      const { id } = await world.pay(world.ada, order);
      expect(world.provider.calls).to.deep.equal([{ name: 'charge', id }]);
    });

    it('can be made by staff, and then belong to the order’s owner', async () => {
      expect(await world.pay(world.staff, order)).to.include({
        userId: world.ada.userId,
        status: 'succeeded',
      });
    });

    it('never store the payment method', async () => {
      const payment = await world.pay(world.ada, order, { paymentMethod: 'tok_secret_1234' });
      expect(JSON.stringify(payment)).to.not.contain('tok_secret_1234');
      expect(JSON.stringify(await world.current('payments', payment))).to.not.contain('tok_secret_1234');
    });

    it('can state the amount, which must be the order’s total', async () => {
      for (const amount of [euros(899), euros(901), { amount: 900, currency: 'USD' }]) {
        expect(await invalidFieldsOf(world.pay(world.ada, order, { amount }))).to.deep.equal(['amount']);
      }
      expect(world.provider.calls).to.deep.equal([]);
      expect(await world.pay(world.ada, order, { amount: euros(900) })).to.include({ status: 'succeeded' });
    });

    for (const paymentMethod of ['', 'x'.repeat(256), 'a\0']) {
      it(`need a payment method of 1 to 255 proper characters: not ${JSON.stringify(paymentMethod.slice(0, 3))}`, async () => {
        const paying = world.pay(world.ada, order, { paymentMethod });
        expect(await invalidFieldsOf(paying)).to.deep.equal(['paymentMethod']);
        expect(await world.current('orders', order)).to.deep.equal(order);
      });
    }

    it('of 0 succeed without a charge', async () => {
      const free = await world.order(world.ada, await world.product({ price: euros(0) }));
      const payment = await world.pay(world.ada, free, { amount: euros(0) });
      expect(payment).to.deep.include({ status: 'succeeded', amount: euros(0) });
      expect(await world.current('orders', free)).to.include({ status: 'paid' });
    });

    it('need an existing order, then its owner, then its total, then a pending order', async () => {
      await world.become(world.ada, order, 'canceled');
      const wrong = { amount: euros(1) };
      expect(await kindOf(world.pay(world.bob, { ...order, id: nowhere<OrderId>() }, wrong))).to.equal(
        'not-found',
      );
      expect(await kindOf(world.pay(world.bob, order, wrong))).to.equal('forbidden');
      expect(await kindOf(world.pay(world.ada, order, wrong))).to.equal('validation');
      expect(await kindOf(world.pay(world.ada, order))).to.equal('invalid-state');
      expect(world.provider.calls).to.deep.equal([]);
    });
  });

  describe('that are declined', () => {
    it('are stored as failed, with the provider’s reason, and leave the order pending', async () => {
      world.provider.declines('Not enough money.');
      expect(await kindOf(world.pay(world.ada, order))).to.equal('payment-declined');
      const { rows } = await world.read(world.useCases.payments.list, world.ada, { filter: {}, page });
      expect(rows).to.have.lengthOf(1);
      expect(rows[0]).to.deep.include({
        status: 'failed',
        providerReference: null,
        failure: { code: 'card_declined', message: 'Not enough money.' },
      });
      expect(await world.current('orders', order)).to.include({ status: 'pending', paying: false });
      expect(world.provider.moved).to.deep.equal([]);
    });

    it('can be retried as another payment', async () => {
      world.provider.declines();
      expect(await kindOf(world.pay(world.ada, order))).to.equal('payment-declined');
      const payment = await world.pay(world.ada, order);
      expect(payment.status).to.equal('succeeded');
      const filter = { orderId: order.id };
      const { rows } = await world.read(world.useCases.payments.list, world.ada, { filter, page });
      expect(rows.map(({ status }) => status)).to.deep.equal(['failed', 'succeeded']);
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('leave the order open for changes', async () => {
      world.provider.declines();
      expect(await kindOf(world.pay(world.ada, order))).to.equal('payment-declined');
      expect(await world.become(world.ada, order, 'canceled')).to.include({ status: 'canceled' });
    });
  });

  describe('of one order', () => {
    it('cannot follow a succeeded one', async () => {
      const { id } = await world.pay(world.ada, order);
      expect(await kindOf(world.pay(world.ada, order))).to.equal('invalid-state');
      expect(world.provider.calls).to.deep.equal([{ name: 'charge', id }]);
    });

    it('cannot start while one is pending', async () => {
      const late = world.provider.answersLate();
      const first = world.pay(world.ada, order);
      await late.called;
      expect(await kindOf(world.pay(world.ada, order))).to.equal('invalid-state');
      expect(await kindOf(world.pay(world.staff, order))).to.equal('invalid-state');
      late.respond();
      expect(await first).to.include({ status: 'succeeded' });
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    for (const what of ['fails', 'timesOut'] as const) {
      it(`cannot start while the outcome of another is unknown (the provider ${what})`, async () => {
        world.provider[what]();
        const kind = what === 'fails' ? 'provider-failed' : 'provider-timeout';
        expect(await kindOf(world.pay(world.ada, order))).to.equal(kind);
        expect(await kindOf(world.pay(world.ada, order))).to.equal('invalid-state');
        expect(await world.current('orders', order)).to.include({ status: 'pending', paying: true });
        const { rows } = await world.read(world.useCases.payments.list, world.ada, { filter: {}, page });
        expect(rows.map(({ status }) => status)).to.deep.equal(['pending']);
      });
    }

    it('succeed once of twenty concurrent requests', async () => {
      const all = Array.from({ length: 20 }, () => world.pay(world.ada, order));
      const outcomes = await Promise.allSettled(all);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('cannot start after a full refund', async () => {
      await world.refund(world.staff, await world.pay(world.ada, order));
      expect(await kindOf(world.pay(world.ada, order))).to.equal('invalid-state');
    });
  });

  describe('that are read', () => {
    it('are read by the order’s owner and staff only', async () => {
      const { get } = world.useCases.payments;
      const payment = await world.pay(world.ada, order);
      for (const reader of [world.ada, world.staff, world.admin]) {
        expect(await world.read(get, reader, payment.id)).to.deep.equal(payment);
      }
      expect(await kindOf(world.read(get, world.bob, payment.id))).to.equal('forbidden');
      expect(await kindOf(world.read(get, world.bob, nowhere<PaymentId>()))).to.equal('not-found');
    });

    it('are listed for their owner; staff list all', async () => {
      const ada = await world.pay(world.ada, order);
      const other = await world.order(world.bob, await world.product());
      const bob = await world.pay(world.bob, other);
      const idsFor = async (caller: Caller, filter = {}): Promise<PaymentId[]> => {
        const { rows } = await world.read(world.useCases.payments.list, caller, { filter, page });
        return rows.map(({ id }) => id);
      };
      expect(await idsFor(world.staff)).to.deep.equal([ada.id, bob.id]);
      expect(await idsFor(world.staff, { orderId: other.id })).to.deep.equal([bob.id]);
      expect(await idsFor(world.ada)).to.deep.equal([ada.id]);
      expect(await idsFor(world.ada, { orderId: other.id })).to.deep.equal([]);
      expect(await idsFor(world.ada, { userId: world.bob.userId })).to.deep.equal([]);
    });
  });
});
