import { expect } from 'chai';
import { ProviderMismatch } from '#application/errors.ts';
import { mismatchIntervalMs } from '#application/jobs/retry-delays.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import type { Refund, RefundId } from '#domain/refund.ts';
import { rejectionOf } from '../contracts/harness.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { euros, minute, nowhere, page, times } from './fixture.ts';
import { aWorld, type World } from './world.ts';

/** What a provider can say of the wrong money. */
const wrongWords: Readonly<Record<string, object>> = {
  'a lower amount': { amount: euros(449) },
  'a higher amount': { amount: euros(451) },
  'another currency': { amount: { amount: 450, currency: 'USD' } },
  'an amount that is no number': { amount: { amount: Number.NaN, currency: 'EUR' } },
  'no amount, where it says one': { amount: null },
  'another id': { id: nowhere() },
  'no reference': { reference: undefined },
  'an empty reference': { reference: '' },
  'a reference with NUL, which no database can hold': { reference: 'ch_1\0' },
  'both a reference and that it declined': { declined: { code: 'card_declined', message: 'No.' } },
  'a reference and a decline of nothing': { declined: null },
  'that it waits, although it cannot be asked later': { waitsFor: 'provider' },
  'a reference and a decline that is undefined': { declined: undefined },
};

describe('A provider that says something else than what was asked', () => {
  const world = ofEachTest(aWorld);

  const order = async () => world.order(world.ada, await world.product({ price: euros(450) }));
  const payments = async (): Promise<readonly Payment[]> =>
    (await world.read(world.useCases.payments.list, world.staff, { filter: {}, page })).rows;
  const refunds = async (): Promise<readonly Refund[]> =>
    (await world.read(world.useCases.refunds.list, world.staff, { filter: {}, page })).rows;
  const only = <T>(rows: readonly T[]): T => rows[0] ?? expect.fail('There is none.');
  const calls = () => world.provider.calls.length;

  const reconcile = async (after: number = times.reconcileAfter) => {
    world.clock.pass(after);
    return (await world.backgroundJobs.recoverAbandonedProcesses()).errors;
  };

  for (const [words, said] of Object.entries(wrongWords)) {
    it(`pays nothing when it says something else (${words})`, async () => {
      const placed = await order();
      world.provider.claims(said);
      const error = await rejectionOf(world.pay(world.ada, placed));
      expect(error).to.be.instanceOf(ProviderMismatch).and.to.include({ kind: 'provider-failed' });
      expect(only(await payments())).to.include({ status: 'pending', providerReference: null });
      expect(await world.current('orders', placed)).to.include({ status: 'pending', paying: true });

      expect(await reconcile()).to.deep.equal([]);
      expect(only(await payments()).status).to.equal('pending');
      world.provider.claims(undefined);
      await reconcile(mismatchIntervalMs);
      expect(only(await payments()).status).to.equal('succeeded');
      expect(await world.current('orders', placed)).to.include({ status: 'paid' });
    });

    it(`refunds nothing when it says something else (${words})`, async () => {
      const { payment, order: bought } = await world.purchase(await world.product({ price: euros(450) }));
      world.provider.claims(said);
      expect(await rejectionOf(world.refund(world.staff, payment))).to.be.instanceOf(ProviderMismatch);
      expect(only(await refunds())).to.include({ status: 'pending', providerReference: null });
      expect(await world.current('payments', payment)).to.include({ status: 'succeeded' });

      world.provider.claims(undefined);
      await reconcile();
      expect(only(await refunds()).status).to.equal('succeeded');
      expect(await world.current('orders', bought)).to.include({ status: 'refunded' });
    });
  }

  it('refunds nothing when it names another charge', async () => {
    const { payment } = await world.purchase(await world.product({ price: euros(450) }));
    world.provider.claims({ chargeReference: 'another' });
    expect(await rejectionOf(world.refund(world.staff, payment))).to.be.instanceOf(ProviderMismatch);
  });

  it('is believed when it says what was asked, or leaves it out', async () => {
    for (const words of [{}, { amount: euros(450) }]) {
      world.provider.claims(words);
      expect(await world.pay(world.ada, await order())).to.include({ status: 'succeeded' });
    }
  });

  it('is asked once an hour, and delays no other payment', async () => {
    world.provider.claims({ amount: euros(1) });
    await rejectionOf(world.pay(world.ada, await order()));
    await reconcile();
    const before = calls();
    for (let passed = minute; passed < mismatchIntervalMs; passed += minute) await reconcile(minute);
    expect(calls()).to.equal(before);
    world.provider.fails();
    world.provider.claims(undefined);
    await rejectionOf(world.pay(world.bob, await world.order(world.bob, await world.product())));
    world.provider.claims({ amount: euros(1) });
    await reconcile(minute);
    expect(calls()).to.be.greaterThan(before + 1);
  });

  it('is asked again when the clock was set back', async () => {
    world.provider.claims({ amount: euros(1) });
    await rejectionOf(world.pay(world.ada, await order()));
    await reconcile();
    const before = calls();
    await reconcile(-2 * mismatchIntervalMs);
    await reconcile(3 * mismatchIntervalMs);
    expect(calls()).to.be.greaterThan(before);
  });

  describe('and an operator who has looked', () => {
    let pending: PaymentId;
    beforeEach(async () => {
      world.provider.claims({ amount: euros(1) });
      await rejectionOf(world.send(world.useCases.payments.pay, world.ada, await paying(), 'key'));
      pending = only(await payments()).id;
    });

    const paying = async () => ({ orderId: (await order()).id, paymentMethod: 'tok' });

    const settle = (outcome: Parameters<World['useCases']['payments']['settle']>[1]['outcome']) =>
      world.run(world.useCases.payments.settle, world.admin, { id: pending, outcome });

    it('settles it as paid', async () => {
      expect(await settle({ reference: 'by hand' })).to.include({ status: 'succeeded' });
      const { orderId } = only(await payments());
      expect(await world.current('orders', { id: orderId })).to.include({ status: 'paid' });
    });

    it('settles it as failed, so that the order can be paid again', async () => {
      await settle({ declined: { code: 'settled_by_operator', message: 'Nothing was taken.' } });
      const { orderId, status } = only(await payments());
      expect(status).to.equal('failed');
      expect(await world.current('orders', { id: orderId })).to.include({ status: 'pending', paying: false });
    });

    it('ends its process: the provider is not asked again, and a retry gets the outcome', async () => {
      await settle({ reference: 'by hand' });
      const { orderId } = only(await payments());
      const before = calls();
      await reconcile();
      const retried = { orderId, paymentMethod: 'tok' };
      const result = await world.send(world.useCases.payments.pay, world.ada, retried, 'key');
      expect(JSON.stringify(result)).to.include('by hand');
      expect(calls()).to.equal(before);
    });

    it('cannot settle it twice', async () => {
      await settle({ reference: 'by hand' });
      expect(await kindOf(settle({ reference: 'again' }))).to.equal('invalid-state');
    });

    it('is an administrator', async () => {
      const input = { id: pending, outcome: { reference: 'mine' } };
      for (const caller of [world.ada, world.staff]) {
        expect(await kindOf(world.run(world.useCases.payments.settle, caller, input))).to.equal('forbidden');
      }
    });
  });

  it('lets an operator settle a refund, and no other resource', async () => {
    const { payment } = await world.purchase(await world.product({ price: euros(450) }));
    world.provider.claims({ reference: '' });
    await rejectionOf(world.refund(world.staff, payment));
    const { id } = only(await refunds());
    const settle = (of: RefundId, caller = world.admin) =>
      world.run(world.useCases.refunds.settle, caller, { id: of, outcome: { reference: 'by hand' } });
    expect(await kindOf(settle(nowhere()))).to.equal('not-found');
    expect(await kindOf(settle(id, world.staff))).to.equal('forbidden');
    expect(await settle(id)).to.include({ status: 'succeeded' });
    expect(await kindOf(settle(id))).to.equal('invalid-state');
  });
});
