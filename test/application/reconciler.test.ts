import { expect } from 'chai';
import { type BackgroundJobs, backgroundJobs } from '#application/jobs/background-jobs.ts';
import type { PaymentId } from '#domain/payment.ts';
import { kindOf } from './error-kind.ts';
import { hour, nowhere, times } from './fixture.ts';
import { aWorld, type World } from './world.ts';

describe('Background jobs settle abandoned payments and refunds (reconciler)', () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });

  /** Another one, in whose way something comes between its looking and its doing. */
  const keeper = (interfere: () => Promise<unknown>): BackgroundJobs =>
    world.elsewhere({ afterReading: interfere }).backgroundJobs;

  /** Payments that the provider has charged without an answer; each of an order of its own. */
  const unfinished = async (count: number): Promise<PaymentId[]> => {
    const product = await world.product();
    for (let place = 0; place < count; place += 1) {
      world.provider.timesOut();
      const order = await world.order(world.ada, product);
      expect(await kindOf(world.pay(world.ada, order))).to.equal('provider-timeout');
    }
    return statuses().then((found) => found.map(([id]) => id));
  };

  const statuses = async () => {
    const all = { filter: {}, page: { limit: 1000 } };
    const { rows } = await world.read(world.useCases.payments.list, world.staff, all);
    return rows.map(({ id, status }) => [id, status] as const);
  };

  const statusesNow = async () => (await statuses()).map(([, status]) => status);

  it('after a time, and leave them to the client until then', async () => {
    await unfinished(1);
    world.clock.pass(times.reconcileAfter - 1);
    expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    expect(await statusesNow()).to.deep.equal(['pending']);
    world.clock.pass(1);
    expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 1, errors: [] });
    expect(await statusesNow()).to.deep.equal(['succeeded']);
  });

  it('but not one whose lease another process holds', async () => {
    world = await aWorld({ reconcileAfter: times.lease / 2 });
    const late = world.provider.answersLate();
    const paying = world.pay(world.ada, await world.order(world.ada, await world.product()));
    await late.called;
    world.clock.pass(times.lease - 1);
    expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    expect(await statusesNow()).to.deep.equal(['pending']);
    late.respond();
    expect(await paying).to.include({ status: 'succeeded' });
    expect(world.provider.calls.map(({ name }) => name)).to.deep.equal(['charge']);
  });

  it('despite an error on one, which is reported and retried', async () => {
    const [one, two, three] = await unfinished(3);
    world.provider.unreachable.add(two ?? nowhere());
    world.clock.pass(times.reconcileAfter);
    const { errors } = await world.backgroundJobs.recoverAbandonedProcesses();
    expect(errors).to.have.lengthOf(1);
    expect(errors[0]).to.have.property('kind', 'provider-failed');
    expect(await statuses()).to.deep.equal([
      [one, 'succeeded'],
      [two, 'pending'],
      [three, 'succeeded'],
    ]);
    world.provider.unreachable.clear();
    expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    expect(await statusesNow()).to.deep.equal(['succeeded', 'succeeded', 'succeeded']);
  });

  it('hundreds in one run, when there is no error', async () => {
    await unfinished(250);
    world.clock.pass(times.reconcileAfter);
    expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    expect(new Set(await statusesNow())).to.deep.equal(new Set(['succeeded']));
  });

  it('although a hundred others fail again and again', async () => {
    const all = await unfinished(101);
    for (const id of all.slice(0, 100)) world.provider.unreachable.add(id);
    world.clock.pass(times.reconcileAfter);
    const statusOfLast = async () => (await statusesNow()).at(-1);
    await world.backgroundJobs.recoverAbandonedProcesses();
    world.clock.pass(1);
    await world.backgroundJobs.recoverAbandonedProcesses();
    expect(await statusOfLast()).to.equal('succeeded');
    expect((await statusesNow()).filter((status) => status === 'pending')).to.have.lengthOf(100);
  });

  it('but not one that its client settles at the last moment', async () => {
    const order = await world.order(world.ada, await world.product());
    const input = { orderId: order.id, paymentMethod: 'tok' };
    const pay = () => world.send(world.useCases.payments.pay, world.ada, input, 'key');
    world.provider.timesOut();
    expect(await kindOf(pay())).to.equal('provider-timeout');
    world.clock.pass(times.reconcileAfter);
    expect((await keeper(pay).recoverAbandonedProcesses()).errors).to.deep.equal([]);
    const known = await world.unitOfWork.run(({ idempotencyKeys }) =>
      idempotencyKeys.lock(world.ada.userId, 'key'),
    );
    expect(known).to.deep.nested.include({ 'lease.fencingToken': 2, 'lease.leaseUntil': null });
    expect(await statusesNow()).to.deep.equal(['succeeded']);
  });

  it('each once, when two processes run the job', async () => {
    await unfinished(5);
    world.clock.pass(times.reconcileAfter);
    await Promise.all([
      world.backgroundJobs.recoverAbandonedProcesses(),
      world.backgroundJobs.recoverAbandonedProcesses(),
    ]);
    expect(await statusesNow()).to.deep.equal(Array.from({ length: 5 }, () => 'succeeded'));
    expect(world.provider.calls.filter(({ name }) => name === 'closeCharge')).to.have.lengthOf(5);
  });

  it('although created and leased by a clock that was set back since (clock skew)', async () => {
    await unfinished(1);
    const late = world.provider.answersLate();
    const paying = world.pay(world.ada, await world.order(world.ada, await world.product()));
    await late.called;
    world.clock.pass(-25 * hour);
    expect(await world.backgroundJobs.recoverAbandonedProcesses()).to.deep.equal({ done: 2, errors: [] });
    expect(await statusesNow()).to.deep.equal(['succeeded', 'succeeded']);
    late.respond();
    expect(await paying).to.include({ status: 'succeeded' });
    expect(world.provider.moved).to.have.lengthOf(2);
  });

  it('and report a process without a registered recovery', async () => {
    const { unitOfWork, clock } = world;
    await unfinished(1);
    world.clock.pass(times.reconcileAfter);
    const ignorant = backgroundJobs({
      unitOfWork,
      clock,
      recoveries: new Map(),
      expirePayments: () => async () => ({ done: 0, errors: [] }),
      leaseMs: times.lease,
      reconcileAfterMs: times.reconcileAfter,
      orderLifetimeMs: 0,
      erasureQuietMs: 0,
      eventRetentionMs: 0,
    });
    const { errors } = await ignorant.recoverAbandonedProcesses();
    expect(String(errors[0])).to.contain('No recovery is registered for the process "payment".');
    expect(await statusesNow()).to.deep.equal(['pending']);
  });
});
