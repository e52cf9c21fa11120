import { expect } from 'chai';
import type { CancelPayment } from '#application/payments/cancellation.ts';
import type { Caller } from '#application/preconditions.ts';
import { paymentUseCases } from '#application/use-cases/payments.ts';
import { Capture } from '#domain/capture.ts';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { minute, noon, nowhere, times } from './fixture.ts';
import { askingPayers, type Payer } from './payer.ts';
import { aWorld, type World } from './world.ts';

const expectInvalidState = async (rejected: Promise<unknown>, message: string): Promise<void> => {
  const error = await rejected.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).to.include({ kind: 'invalid-state', message });
};

describe('The cancellation of a payment', () => {
  let world: World;
  let payer: Payer;
  let unpaid: Order;
  let payment: Payment;

  beforeEach(async () => {
    world = await aWorld({}, (provider) => {
      payer = askingPayers(provider);
      return payer.port;
    });
    unpaid = await world.order(world.ada, await world.product());
    payment = await world.pay(world.ada, unpaid, { payerPresent: true });
  });

  const cancel = (caller: Caller, more: Partial<CancelPayment> = {}): Promise<Payment> =>
    world.sendOnce(world.useCases.payments.cancel, caller, {
      ...{ id: payment.id, expectedVersions: undefined },
      ...more,
    });

  const cancelAs = (key: string, more: Partial<CancelPayment> = {}) =>
    world.send(
      world.useCases.payments.cancel,
      world.staff,
      { id: payment.id, expectedVersions: undefined, ...more },
      key,
    );

  const now = () => world.current('payments', payment);

  /** The payment as if it had been authorized. */
  const authorize = (): Promise<void> =>
    world.unitOfWork.run(async ({ payments }) => {
      const { version } = await now();
      await payments.save({ ...payment, version: version + 1, status: 'authorized', captureBefore: noon });
    });

  for (const who of ['ada', 'staff'] as const) {
    it(`is told to the provider, and opens the order, for ${who}`, async () => {
      expect(await cancel(world[who])).to.include({ status: 'canceled', failure: null });
      expect(payer.questions).to.deep.equal([{ name: 'cancel', id: payment.id }]);
      expect(payer.stateOf(payment)).to.have.property('canceled', true);
      expect((await world.current('orders', unpaid)).paying).to.equal(false);
      expect(await world.pay(world.ada, unpaid)).to.include({ status: 'succeeded' });
    });
  }

  it('is for its owner and staff only', async () => {
    expect(await kindOf(cancel(world.bob))).to.equal('forbidden');
    expect(await kindOf(cancel(world.staff, { id: nowhere() }))).to.equal('not-found');
    expect(payer.questions).to.deep.equal([]);
  });

  it('of an authorized payment is for staff only', async () => {
    await authorize();
    expect(await kindOf(cancel(world.ada))).to.equal('forbidden');
    expect(await cancel(world.staff)).to.include({ status: 'canceled' });
  });

  it('is rejected with the reason when the provider does not offer it', async () => {
    const { findCharge, retrieveCharge } = payer.port.lifecycle ?? expect.fail('It asks payers.');
    const provider = { ...payer.port, lifecycle: { findCharge, retrieveCharge } };
    const { cancel: without } = paymentUseCases({ clock: world.clock, newId: world.newId, provider });
    const giveUp = { id: payment.id, expectedVersions: undefined };
    expect(await invalidFieldsOf(world.sendOnce(without, world.ada, giveUp))).to.deep.equal(['status']);
    expect(await now()).to.include({ status: 'requires_action' });
    expect(payer.questions).to.deep.equal([]);
  });

  it('of an authorized payment waits for its capture', async () => {
    await authorize();
    const capture = Capture.begin(world.newId(), await now(), payment.amount, noon);
    await world.unitOfWork.run(({ captures }) => captures.add(capture));
    expect(await kindOf(cancel(world.staff))).to.equal('invalid-state');
    expect(payer.questions).to.deep.equal([]);
    const failure = { code: 'declined', message: 'No.' };
    await world.unitOfWork.run(({ captures }) => captures.save(Capture.fail(capture, failure, noon)));
    expect(await cancel(world.staff)).to.include({ status: 'canceled' });
  });

  it('loses against a consent at the same instant: it is rejected, and the payment has succeeded', async () => {
    payer.consentsAtCancel();
    expect(await kindOf(cancel(world.ada))).to.equal('invalid-state');
    expect(await now()).to.include({ status: 'succeeded' });
    expect(await world.current('orders', unpaid)).to.include({ status: 'paid' });
  });

  it('is rejected once the provider decides without the payer', async () => {
    payer.says(payment, { reference: payment.providerReference ?? '', waitsFor: 'provider' });
    expect(await kindOf(cancel(world.ada))).to.equal('invalid-state');
    expect(await now()).to.include({ status: 'processing' });
  });

  it('of a payment that has ended is rejected, and the provider is not asked', async () => {
    await cancel(world.ada);
    expect(await kindOf(cancel(world.ada))).to.equal('invalid-state');
    const { payment: paid } = await world.purchase(await world.product());
    expect(await kindOf(cancel(world.ada, { id: paid.id }))).to.equal('invalid-state');
    expect(payer.questions).to.have.lengthOf(1);
  });

  it('with an unknown outcome changes nothing, and a retry finds it out', async () => {
    payer.isAvailable(false);
    expect(await kindOf(cancelAs('key'))).to.equal('provider-timeout');
    expect(await now()).to.include({ status: 'requires_action', version: payment.version });
    payer.isAvailable(true);
    expect(await cancelAs('key')).to.have.nested.property('outcome.done.status', 'canceled');
    expect(await cancelAs('key')).to.have.property('replayed');
  });

  it('that its client has abandoned is carried out by the reconciler', async () => {
    payer.isAvailable(false);
    expect(await kindOf(cancelAs('key'))).to.equal('provider-timeout');
    payer.isAvailable(true);
    world.clock.pass(times.reconcileAfter);
    expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 1, errors: [] });
    expect(await now()).to.include({ status: 'canceled' });
    expect(await cancelAs('key')).to.have.nested.property('outcome.done.status', 'canceled');
  });

  it('needs the version that the client expects', async () => {
    const stale = { expectedVersions: [payment.version - 1] };
    expect(await kindOf(cancel(world.ada, stale))).to.equal('precondition-failed');
    expect(await cancel(world.ada, { expectedVersions: [payment.version] })).to.include({
      status: 'canceled',
    });
  });

  describe('with metadata', () => {
    const metadata = { reason: 'out of stock' };

    it('changes both, for staff only', async () => {
      expect(await kindOf(cancel(world.ada, { metadata }))).to.equal('forbidden');
      expect(payer.questions).to.deep.equal([]);
      expect(await cancel(world.staff, { metadata })).to.deep.include({ status: 'canceled', metadata });
      expect(await now()).to.deep.include({ metadata });
    });

    it('that is rejected changes neither', async () => {
      payer.consentsAtCancel();
      expect(await kindOf(cancel(world.staff, { metadata }))).to.equal('invalid-state');
      expect(await now()).to.deep.include({ status: 'succeeded', metadata: {} });
    });

    it('that are not valid is rejected before the provider is told', async () => {
      const tooMany = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'v']));
      expect(await kindOf(cancel(world.staff, { metadata: tooMany }))).to.equal('validation');
      expect(payer.questions).to.deep.equal([]);
    });

    it('changes both although the reconciler was first', async () => {
      payer.isAvailable(false);
      expect(await kindOf(cancelAs('key', { metadata }))).to.equal('provider-timeout');
      payer.isAvailable(true);
      world.clock.pass(times.reconcileAfter);
      await world.backgroundJobs.recoverAbandonedProcesses();
      expect(await cancelAs('key', { metadata })).to.have.deep.nested.property(
        'outcome.done.metadata',
        metadata,
      );
      expect(await now()).to.deep.include({ status: 'canceled', metadata });
    });
  });

  describe('and the lifetime of its order', () => {
    it('leave the payer a second try of 15 minutes when it has passed under the lock', async () => {
      const brief = await aWorld({ orderLifetime: 5 * minute }, (provider) => {
        payer = askingPayers(provider);
        return payer.port;
      });
      const placed = await brief.order(brief.ada, await brief.product());
      const { id } = await brief.pay(brief.ada, placed, { payerPresent: true });
      brief.clock.pass(30 * minute);
      expect((await brief.backgroundJobs.expireOrders()).done).to.equal(0);
      await brief.sendOnce(brief.useCases.payments.cancel, brief.ada, { id, expectedVersions: undefined });
      brief.clock.pass(15 * minute - 1);
      expect((await brief.backgroundJobs.expireOrders()).done).to.equal(0);
      brief.clock.pass(1);
      expect((await brief.backgroundJobs.expireOrders()).done).to.equal(1);
      expect(await brief.current('orders', placed)).to.include({ status: 'canceled' });
    });

    /** An order whose time ran out under the lock of a payment that its payer has given up since. */
    const outlasted = async () => {
      const brief = await aWorld({ orderLifetime: 5 * minute }, (provider) => {
        payer = askingPayers(provider);
        return payer.port;
      });
      const placed = await brief.order(brief.ada, await brief.product({ stock: 3 }));
      const tryFor = async (minutes: number): Promise<void> => {
        const { id } = await brief.pay(brief.ada, placed, { payerPresent: true });
        brief.clock.pass(minutes * minute);
        await brief.sendOnce(brief.useCases.payments.cancel, brief.ada, { id, expectedVersions: undefined });
      };
      await tryFor(30);
      const expire = async () => (await brief.backgroundJobs.expireOrders()).done;
      return { brief, placed, tryFor, expire };
    };

    it('leave the payer one second try, however often they give up within it', async () => {
      const { brief, tryFor, expire } = await outlasted();
      for (let tries = 0; tries < 7; tries += 1) await tryFor(2);
      brief.clock.pass(minute - 1);
      expect(await expire()).to.equal(0);
      brief.clock.pass(1);
      expect(await expire()).to.equal(1);
    });

    it('end at once when a lock has outlasted the second try, and no further payment begins', async () => {
      const { brief, placed, tryFor, expire } = await outlasted();
      brief.clock.pass(14 * minute);
      await tryFor(2);
      const again = brief.pay(brief.ada, placed, { payerPresent: true });
      await expectInvalidState(again, 'The time to pay the order has ended. Place a new order.');
      expect(await expire()).to.equal(1);
      expect(await brief.current('orders', placed)).to.include({ status: 'canceled' });
    });

    it('do not prolong it when the lock ended before', async () => {
      const brief = await aWorld({ orderLifetime: 5 * minute });
      const placed = await brief.order(brief.ada, await brief.product());
      brief.provider.declines();
      expect(await kindOf(brief.pay(brief.ada, placed))).to.equal('payment-declined');
      brief.clock.pass(5 * minute);
      expect((await brief.backgroundJobs.expireOrders()).done).to.equal(1);
    });
  });
});
