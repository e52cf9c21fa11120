import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import { retryDelays } from '#application/jobs/retry-delays.ts';
import type { ChargeState, ProviderOutcome } from '#application/ports/charge.ts';
import type { CaptureRequest, ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { applySnapshot } from '#application/reconciliation/apply-snapshot.ts';
import { captureUseCases } from '#application/use-cases/captures.ts';
import { paymentUseCases } from '#application/use-cases/payments.ts';
import type { Capture } from '#domain/capture.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere } from './fixture.ts';
import { aWorld } from './world.ts';

const unused = (): never => {
  throw new Error('Nothing here asks for that.');
};

/** A provider that authorizes each charge, and captures as the test says. */
const authorizing = () => {
  const requests: CaptureRequest[] = [];
  const answers: (() => ProviderOutcome)[] = [];
  const lifecycle: ChargeLifecycle = {
    ...{ findCharge: unused, cancel: unused, retrieveCharge: async () => undefined },
    capture: async (request) => {
      requests.push(request);
      return answers.shift()?.() ?? { reference: request.chargeReference, amount: request.amount };
    },
  };
  const port: PaymentProvider = {
    ...{ name: 'authorizing', idempotencyWindowMs: 1_000, lifecycle },
    ...{ closeCharge: unused, refund: unused, closeRefund: unused },
    charge: async ({ paymentId, captureMethod, amount }): Promise<ChargeState> => {
      const moved = { reference: `ch_${paymentId}`, amount };
      return captureMethod === 'manual' ? { ...moved, waitsFor: 'capture', captureBefore: null } : moved;
    },
  };
  return { port, requests, answers };
};

describe('Captures', () => {
  const world = ofEachTest(aWorld);
  let provider: ReturnType<typeof authorizing>;
  let order: Order;
  let cases: ReturnType<typeof captureUseCases>;
  let payments: ReturnType<typeof paymentUseCases>;
  beforeEach(async () => {
    provider = authorizing();
    const ports = { clock: world.clock, newId: world.newId, provider: provider.port };
    cases = captureUseCases({ ...ports, applySnapshot: applySnapshot({ ...ports, warn: unused }) });
    payments = paymentUseCases(ports);
    order = await world.order(world.ada, await world.product({ price: euros(1000) }));
  });

  const authorize = (): Promise<Payment> =>
    world.sendOnce(payments.pay, world.staff, { orderId: order.id, paymentMethod: 'tok', capture: 'manual' });
  const capture = ({ id: paymentId }: Payment, amount?: number): Promise<Capture> =>
    world.sendOnce(cases.create, world.staff, {
      paymentId,
      ...(amount === undefined ? {} : { amount: euros(amount) }),
    });
  const paymentNow = (payment: Payment): Promise<Payment> => world.current('payments', payment);
  const orderNow = (): Promise<Order> => world.current('orders', order);

  it('follow an authorized payment, which leaves its order locked and waiting', async () => {
    const payment = await authorize();
    expect(payment).to.deep.include({
      ...{ status: 'authorized', captureMethod: 'manual' },
      captureBefore: Instant.plus(payment.createdAt, 7 * 24 * 3_600_000),
    });
    expect(Payment.captured(payment)).to.deep.equal(euros(0));
    expect(await orderNow()).to.include({ status: 'pending', paying: true });
  });

  it('take all that was authorized unless an amount is given, and pay the order', async () => {
    const payment = await authorize();
    const done = await capture(payment);
    expect(done).to.deep.include({ status: 'succeeded', amount: euros(1000), userId: world.ada.userId });
    expect(provider.requests).to.deep.equal([
      { captureId: done.id, paymentId: payment.id, chargeReference: `ch_${payment.id}`, amount: euros(1000) },
    ]);
    const after = await paymentNow(payment);
    expect(after.status).to.equal('succeeded');
    expect(Payment.captured(after)).to.deep.equal(euros(1000));
    expect(await orderNow()).to.include({ status: 'paid', paying: false });
  });

  it('of a part release the rest, pay the order in full, and leave its total', async () => {
    const payment = await authorize();
    await capture(payment, 400);
    const after = await paymentNow(payment);
    expect(after).to.deep.include({ status: 'succeeded', amount: euros(1000), released: euros(600) });
    expect(Payment.captured(after)).to.deep.equal(euros(400));
    expect(await orderNow()).to.deep.include({ status: 'paid', total: euros(1000) });
  });

  it('are rejected for nothing, for more than was authorized, and in another currency', async () => {
    const payment = await authorize();
    expect(await invalidFieldsOf(capture(payment, 0))).to.deep.equal(['amount.amount']);
    expect(await kindOf(capture(payment, 1001))).to.equal('amount-exceeded');
    const inYen = { paymentId: payment.id, amount: { amount: 1, currency: 'JPY' } };
    expect(await invalidFieldsOf(world.sendOnce(cases.create, world.staff, inYen))).to.deep.equal([
      'amount.currency',
    ]);
    expect(provider.requests).to.deep.equal([]);
  });

  it('that were declined leave the payment authorized, and can be tried again', async () => {
    const payment = await authorize();
    provider.answers.push(() => ({ declined: { code: 'card_declined', message: 'Not now.' } }));
    expect(await kindOf(capture(payment))).to.equal('payment-declined');
    expect(await paymentNow(payment)).to.deep.include({ status: 'authorized' });
    expect((await capture(payment)).status).to.equal('succeeded');
  });

  it('of which the outcome is unknown block another, and the same request settles them', async () => {
    const payment = await authorize();
    provider.answers.push(() => {
      throw new ApplicationError('provider-timeout', 'No answer came.');
    });
    const input = { paymentId: payment.id };
    expect(await kindOf(world.send(cases.create, world.staff, input, 'k'))).to.equal('provider-timeout');
    expect(await kindOf(capture(payment))).to.equal('invalid-state');
    const settled = await world.send(cases.create, world.staff, input, 'k');
    expect(settled).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(new Set(provider.requests.map(({ captureId }) => captureId)).size).to.equal(1);
    expect(await paymentNow(payment)).to.deep.include({ status: 'succeeded' });
  });

  it('happen once for each payment', async () => {
    const payment = await authorize();
    await capture(payment);
    expect(await kindOf(capture(payment))).to.equal('invalid-state');
  });

  it('are for staff, and are read by staff and by the owner of the payment', async () => {
    const payment = await authorize();
    expect(() => cases.create(world.ada, { paymentId: payment.id })).to.throw('staff');
    const { id } = await capture(payment);
    for (const reader of [world.ada, world.staff]) {
      expect((await world.read(cases.get, reader, id)).id).to.equal(id);
      const { rows } = await world.read(cases.list, reader, {
        filter: { paymentId: payment.id },
        page: { limit: 5 },
      });
      expect(rows.map((row) => row.id)).to.deep.equal([id]);
    }
    expect(await kindOf(world.read(cases.get, world.bob, id))).to.equal('forbidden');
    expect((await world.read(cases.list, world.bob, { filter: {}, page: { limit: 5 } })).rows).to.deep.equal(
      [],
    );
    expect(await kindOf(world.read(cases.get, world.staff, nowhere()))).to.equal('not-found');
  });

  describe('that come too late', () => {
    const canceling = (answer: (reference: string) => ChargeState) => {
      const told: string[] = [];
      Object.assign(provider.port.lifecycle ?? {}, {
        cancel: async ({ reference }: { reference: string }) => {
          told.push(reference);
          return answer(reference);
        },
      });
      return told;
    };
    const canceled = (reference: string): ChargeState => ({ reference, canceled: true });
    const expire = () => {
      world.clock.pass(7 * 24 * 3_600_000);
      return payments.expiry.expirePayments(world.unitOfWork, retryDelays(world.clock))();
    };

    it('find a payment that was canceled at the provider, and its order open again', async () => {
      const payment = await authorize();
      const told = canceling(canceled);
      expect(await payments.expiry.expirePayments(world.unitOfWork, retryDelays(world.clock))()).to.include({
        done: 0,
      });
      expect(await expire()).to.deep.equal({ done: 1, errors: [] });
      expect(told).to.deep.equal([`ch_${payment.id}`]);
      const after = await paymentNow(payment);
      expect(after).to.have.nested.property('failure.code', 'authorization_expired');
      expect(after.status).to.equal('canceled');
      expect(await orderNow()).to.include({ status: 'pending', paying: false });
      expect(await kindOf(capture(payment))).to.equal('invalid-state');
    });

    it('find a payment that was captured at the provider', async () => {
      const payment = await authorize();
      canceling((reference) => ({ reference, amount: euros(1000) }));
      await expire();
      expect((await paymentNow(payment)).status).to.equal('succeeded');
      expect((await orderNow()).status).to.equal('paid');
    });

    it('keep a payment from ending, and from being given up, while they are under way', async () => {
      const payment = await authorize();
      const told = canceling(canceled);
      provider.answers.push(() => {
        throw new ApplicationError('provider-timeout', 'No answer came.');
      });
      expect(await kindOf(capture(payment))).to.equal('provider-timeout');
      const giveUp = { id: payment.id, expectedVersions: undefined };
      expect(await kindOf(world.sendOnce(payments.cancel, world.staff, giveUp))).to.equal('invalid-state');
      await expire();
      expect(told).to.deep.equal([]);
      expect((await paymentNow(payment)).status).to.equal('authorized');
    });
  });

  describe('of a payment whose capture', () => {
    const pay = (caller = world.staff, more: object = {}) =>
      world.sendOnce(payments.pay, caller, { orderId: order.id, paymentMethod: 'tok', ...more });

    it('a customer chooses are rejected', async () => {
      expect(await kindOf(pay(world.ada, { capture: 'automatic' }))).to.equal('forbidden');
    });

    it('is chosen for an offline payment are rejected', async () => {
      const offline = { capture: 'manual', paymentMethod: 'offline' };
      expect(await invalidFieldsOf(pay(world.staff, offline))).to.deep.equal(['capture']);
    });

    it('the provider does not offer are rejected with the reason', async () => {
      const ports = { clock: world.clock, newId: world.newId, provider: world.provider.port };
      const without = paymentUseCases(ports).pay;
      const input = { orderId: order.id, paymentMethod: 'tok', capture: 'manual' as const };
      expect(await invalidFieldsOf(world.sendOnce(without, world.staff, input))).to.deep.equal(['capture']);
      const { create } = captureUseCases({ ...ports, applySnapshot: unused });
      const capture = world.sendOnce(create, world.staff, { paymentId: nowhere<PaymentId>() });
      expect(await invalidFieldsOf(capture)).to.deep.equal(['paymentId']);
    });

    it('is the shop’s default follow it, for customers too', async () => {
      const ports = { clock: world.clock, newId: world.newId, provider: provider.port };
      const usually = paymentUseCases({ ...ports, captureMethod: 'manual' }).pay;
      const input = { orderId: order.id, paymentMethod: 'tok' };
      expect((await world.sendOnce(usually, world.ada, input)).status).to.equal('authorized');
    });
  });
});
