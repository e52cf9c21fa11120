import { expect } from 'chai';
import type { LivePayment } from '#application/payments/charges.ts';
import type { Pay } from '#application/use-cases/payments.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import { kindOf } from './error-kind.ts';
import { hour, minute, noon, times } from './fixture.ts';
import { askingPayers, type Payer, redirectUrl, secret } from './payer.ts';
import { aWorld, type World } from './world.ts';

const returnUrl = 'https://shop.example/paid';

describe('A payment whose payer is present', () => {
  let world: World;
  let payer: Payer;
  let unpaid: Order;
  let input: Pay;

  beforeEach(async () => {
    world = await aWorld({}, (provider) => {
      payer = askingPayers(provider);
      return payer.port;
    });
    unpaid = await world.order(world.ada, await world.product());
    input = { orderId: unpaid.id, paymentMethod: 'tok', payerPresent: true };
  });

  const payAs = (key: string, more: Partial<Pay> = {}) =>
    world.send(world.useCases.payments.pay, world.ada, { ...input, ...more }, key);

  const paymentOf = async (): Promise<LivePayment> => {
    const filter = { orderId: unpaid.id };
    const { rows } = await world.read(world.useCases.payments.list, world.staff, {
      filter,
      page: { limit: 9 },
    });
    const [payment] = rows;
    if (payment === undefined) throw new Error('There is no payment.');
    return payment;
  };

  it('waits for its payer until an hour after it began, and locks its order', async () => {
    const payment = await world.pay(world.ada, unpaid, input);
    expect(payment).to.deep.include({
      status: 'requires_action',
      actionExpiresAt: Instant.plus(noon, hour),
      nextAction: { type: 'provider_sdk', clientSecret: secret },
    });
    expect((await world.current('orders', unpaid)).paying).to.equal(true);
    expect(await kindOf(world.pay(world.ada, unpaid))).to.equal('invalid-state');
  });

  it('redirects its payer when it has an address to return to', async () => {
    const payment = await world.pay(world.ada, unpaid, { ...input, returnUrl });
    expect((payment as LivePayment).nextAction).to.deep.equal({ type: 'redirect', url: redirectUrl });
    expect(payer.charges[0]?.payer).to.deep.equal({ returnUrl });
  });

  it('is looked up five seconds later, and its action is in no store', async () => {
    const { id, providerReference } = await world.pay(world.ada, unpaid, input);
    const providerObject = { kind: 'charge', reference: providerReference ?? '' } as const;
    const task = await world.unitOfWork.read(({ reconciliationTasks }) =>
      reconciliationTasks.find('scripted', providerObject),
    );
    expect(task).to.include({ dueAt: Instant.plus(noon, 5_000), lastAttemptAt: null });
    expect(JSON.stringify(await world.current('payments', { id }))).not.to.contain(secret);
  });

  it('can be decided later by its provider', async () => {
    const payment = await world.pay(world.ada, unpaid, input);
    payer.says(payment, { reference: payment.providerReference ?? '', waitsFor: 'provider' });
    const { done } = await refreshed(await paymentOf());
    expect(done.status).to.equal('processing');
  });

  it('succeeds at once for a total of 0, and asks no payer', async () => {
    const free = await world.order(world.ada, await world.product({ price: { amount: 0, currency: 'EUR' } }));
    const paid = await world.pay(world.ada, free, { payerPresent: true, returnUrl });
    expect(paid).to.include({ status: 'succeeded', actionExpiresAt: null });
    expect(payer.charges).to.deep.equal([]);
  });

  for (const [field, fields] of [
    ['returnUrl', { payerPresent: false, returnUrl }],
    ['returnUrl', { returnUrl: 'http://shop.example/' }],
    ['payerPresent', { paymentMethod: 'offline' }],
  ] as const) {
    it(`rejects ${JSON.stringify(fields)} on ${field}, before it asks anything`, async () => {
      const error = await world.pay(world.staff, unpaid, { ...input, ...fields }).catch((thrown) => thrown);
      expect(error.fieldErrors?.[0]?.field).to.equal(field);
      expect(payer.charges).to.deep.equal([]);
    });
  }

  it('is rejected by a provider that cannot ask, which still takes a total of 0', async () => {
    const elsewhere = await aWorld();
    const placed = await elsewhere.order(elsewhere.ada, await elsewhere.product());
    const error = await elsewhere
      .pay(elsewhere.ada, placed, { payerPresent: true })
      .catch((thrown) => thrown);
    expect(error.fieldErrors).to.deep.equal([
      { field: 'payerPresent', message: 'must be false: the payment provider scripted cannot ask the payer' },
    ]);
    const free = await elsewhere.product({ price: { amount: 0, currency: 'EUR' } });
    const unpriced = await elsewhere.order(elsewhere.ada, free);
    expect(await elsewhere.pay(elsewhere.ada, unpriced, { payerPresent: true })).to.include({
      status: 'succeeded',
    });
  });

  const refreshed = async (
    payment: LivePayment,
  ): Promise<{ readonly done: LivePayment; readonly asked: boolean }> => {
    const { refresh } = world.useCases.payments;
    if (!refresh.isDue(payment) || !(await world.unitOfWork.run(refresh.claim(payment))))
      return { done: payment, asked: false };
    const called = await refresh.call(payment);
    return {
      done: 'found' in called ? called.found : await world.unitOfWork.run(called.record),
      asked: true,
    };
  };

  describe('when it is read', () => {
    it('shows the action again, at most once a second', async () => {
      const payment = await world.pay(world.ada, unpaid, input);
      expect((await refreshed(await paymentOf())).done.nextAction).to.deep.include({ clientSecret: secret });
      expect(await refreshed(await paymentOf())).to.deep.equal({ done: await paymentOf(), asked: false });
      world.clock.pass(1_000);
      expect((await refreshed(await paymentOf())).done).to.include({ version: payment.version });
      const question = { name: 'findCharge', id: payment.id, reference: payment.providerReference };
      expect(payer.questions).to.deep.equal([question, question]);
    });

    it('never records another charge than its own', async () => {
      const payment = await world.pay(world.ada, unpaid, input);
      payer.says(payment, { reference: 'another_charge', id: payment.id, amount: payment.amount });
      expect(await kindOf(refreshed(await paymentOf()))).to.equal('provider-failed');
      expect(await paymentOf()).to.include({ status: 'requires_action' });
    });

    it('asks once for several who read at the same time', async () => {
      await world.pay(world.ada, unpaid, input);
      const payment = await paymentOf();
      const all = await Promise.all([refreshed(payment), refreshed(payment), refreshed(payment)]);
      expect(all.filter(({ asked }) => asked)).to.have.lengthOf(1);
    });

    it('never records another amount than was asked for', async () => {
      const { id, providerReference } = await world.pay(world.ada, unpaid, input);
      payer.says({ id }, { reference: providerReference ?? '', amount: { amount: 1, currency: 'EUR' } });
      expect(await kindOf(refreshed(await paymentOf()))).to.equal('provider-failed');
      world.clock.pass(hour);
      expect(await world.backgroundJobs.expirePayments()).to.deep.equal({ done: 0, errors: [] });
      expect(await paymentOf()).to.include({ status: 'requires_action' });
      world.clock.pass(minute);
      await world.backgroundJobs.expirePayments();
      expect(payer.questions.filter(({ name }) => name === 'cancel')).to.have.lengthOf(1);
    });

    it('records what its payer has done', async () => {
      payer.consents(await world.pay(world.ada, unpaid, input));
      expect((await refreshed(await paymentOf())).done).to.include({ status: 'succeeded' });
      expect(await world.current('orders', unpaid)).to.include({ status: 'paid', paying: false });
      expect((await refreshed(await paymentOf())).asked).to.equal(false);
    });
  });

  describe('when its first request is interrupted', () => {
    beforeEach(async () => {
      payer.losesResponses(true);
      expect(await kindOf(payAs('key'))).to.equal('provider-timeout');
      payer.losesResponses(false);
    });

    it('waits for its payer after a retry, which shows the action, and its replay does not', async () => {
      const retried = await payAs('key');
      expect(JSON.stringify(retried)).to.contain(secret);
      expect(await paymentOf()).to.include({ status: 'requires_action' });
      expect(payer.charges).to.have.lengthOf(2);
    });

    it('waits for its payer after a recovery, and is never closed while they can act', async () => {
      world.clock.pass(times.reconcileAfter);
      expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 1, errors: [] });
      expect(await paymentOf()).to.include({ status: 'requires_action' });
      const later = await payAs('key');
      expect(JSON.stringify(later)).to.contain('requires_action').and.not.to.contain(secret);
    });

    it('stays pending while the provider does not know it, and is closed when its payer can act no more', async () => {
      payer.says(await paymentOf(), undefined);
      for (let passed = 0; passed < hour - 2 * minute; passed += minute) {
        world.clock.pass(minute);
        expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 0, errors: [] });
        expect((await paymentOf()).status).to.equal('pending');
      }
      world.clock.pass(2 * minute);
      expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 1, errors: [] });
      expect(await paymentOf()).to.deep.include({ status: 'failed' });
      expect((await world.current('orders', unpaid)).paying).to.equal(false);
    });

    it('is asked about once a minute by the reconciler', async () => {
      payer.says(await paymentOf(), undefined);
      world.clock.pass(minute);
      for (let runs = 0; runs < 5; runs += 1) {
        await world.backgroundJobs.recoverAbandonedProcesses();
        world.clock.pass(1_000);
      }
      expect(payer.questions).to.have.lengthOf(1);
    });

    it('is not charged again by a retry after its payer could act', async () => {
      payer.says(await paymentOf(), undefined);
      world.clock.pass(hour);
      await payAs('key');
      expect(payer.charges).to.have.lengthOf(1);
      expect(await paymentOf()).to.include({ status: 'failed' });
    });
  });

  describe('when its payer does not act in time', () => {
    it('is canceled, and its order is open again', async () => {
      const payment = await world.pay(world.ada, unpaid, input);
      world.clock.pass(hour - 1);
      expect((await world.backgroundJobs.expirePayments()).done).to.equal(0);
      world.clock.pass(1);
      expect(await world.backgroundJobs.expirePayments()).to.deep.equal({ done: 1, errors: [] });
      expect(await world.current('payments', payment)).to.deep.include({
        status: 'canceled',
        failure: { code: 'action_expired', message: 'The payer did not act in time.' },
      });
      expect((await world.current('orders', unpaid)).paying).to.equal(false);
      expect(await world.pay(world.ada, unpaid)).to.include({ status: 'succeeded' });
    });

    it('succeeds when they have acted at the last moment', async () => {
      const payment = await world.pay(world.ada, unpaid, input);
      payer.consentsAtCancel();
      world.clock.pass(hour);
      await world.backgroundJobs.expirePayments();
      expect(await world.current('payments', payment)).to.include({ status: 'succeeded', failure: null });
      expect(await world.current('orders', unpaid)).to.include({ status: 'paid' });
    });

    it('waits for a provider that is unavailable, which is an error', async () => {
      const payment = await world.pay(world.ada, unpaid, input);
      world.clock.pass(hour);
      payer.isAvailable(false);
      expect((await world.backgroundJobs.expirePayments()).errors).to.have.lengthOf(1);
      expect(await world.current('payments', payment)).to.include({ status: 'requires_action' });
      payer.isAvailable(true);
      expect((await world.backgroundJobs.expirePayments()).done).to.equal(1);
    });
  });
});
