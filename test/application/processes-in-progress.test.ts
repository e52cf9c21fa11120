import { expect } from 'chai';
import { UnavailableError } from '#application/errors.ts';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import { kindOf } from './error-kind.ts';
import { euros, minute, times } from './fixture.ts';
import { keyedPayments } from './keyed-payments.ts';

describe('A payment with an idempotency key, in progress,', () => {
  const {
    world,
    order,
    begin,
    requested,
    pay,
    answerOf,
    thePayment,
    known,
    callNames,
    recoverAbandonedProcesses,
  } = keyedPayments();

  it('rejects retries until its lease expires', async () => {
    const { late, first } = await begin();
    expect(await kindOf(pay())).to.equal('key-in-progress');
    world.clock.pass(times.lease - 1);
    expect(await kindOf(pay())).to.equal('key-in-progress');
    late.respond();
    expect(await first).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(await pay()).to.deep.equal({ replayed: answerOf(await first) });
    expect(callNames()).to.deep.equal(['charge']);
  });

  it('rejects each of two thousand retries while its lease runs, and makes no second call', async () => {
    const { late, first } = await begin();
    for (let count = 1; count <= 2_000; count += 1)
      expect(await kindOf(pay()), `retry ${count}`).to.equal('key-in-progress');
    expect(callNames()).to.deep.equal(['charge']);
    late.respond();
    expect(await first).to.have.nested.property('outcome.done.status', 'succeeded');
  });

  it('rejects a different request with the key', async () => {
    const { late, first } = await begin(undefined, 'key', order, 'tok_one');
    expect(await kindOf(pay('key', order, 'tok_other'))).to.equal('key-reused');
    late.respond();
    await first;
  });

  it('is taken over by one of twenty when its lease has expired', async () => {
    const { late, first } = await begin();
    world.clock.pass(times.lease);
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => pay()));
    const done = attempts.filter((one) => one.status === 'fulfilled' && 'outcome' in one.value);
    expect(done).to.have.lengthOf(1);
    expect(await known()).to.have.nested.property('lease.fencingToken', 2);
    expect(callNames()).to.deep.equal(['charge', 'charge']);
    late.respond();
    await first;
  });

  it('is taken over when its lease ends implausibly late, after the clock was set back (clock skew)', async () => {
    const { late, first } = await begin();
    world.clock.pass(-minute);
    expect(await kindOf(pay())).to.equal('key-in-progress');
    world.clock.pass(-1);
    const second = await pay();
    expect(second).to.have.nested.property('outcome.done.status', 'succeeded');
    late.respond();
    expect(await first).to.deep.equal({ replayed: answerOf(second) });
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('writes nothing and replays the settled response after another process took over (fencing token)', async () => {
    const { late, first } = await begin();
    world.clock.pass(times.lease);
    const second = await pay();
    expect(second).to.have.nested.property('outcome.done.status', 'succeeded');
    const before = [await known(), await thePayment(), await world.current('orders', order)];
    world.clock.pass(minute);
    late.respond();
    expect(await first).to.deep.equal({ replayed: answerOf(second) });
    expect([await known(), await thePayment(), await world.current('orders', order)]).to.deep.equal(before);
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('writes nothing and stays in progress while another process holds the lease (fencing token)', async () => {
    const { late: slow, first } = await begin();
    world.clock.pass(times.lease);
    const { id } = await thePayment();
    world.provider.unreachable.add(id);
    expect(await kindOf(pay())).to.equal('provider-failed');
    expect(await known()).to.have.nested.property('lease.fencingToken', 2);
    slow.respond();
    expect(await kindOf(first)).to.equal('key-in-progress');
    expect(await thePayment()).to.include({ status: 'pending' });
    world.provider.unreachable.clear();
    expect(await pay()).to.have.nested.property('outcome.done.id', id);
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('does not release the lease of the process that took over when it fails late', async () => {
    const { late: slow, first } = await begin(world.provider.timesOutLate());
    world.clock.pass(times.lease);
    const second = await pay();
    const before = await known();
    slow.respond();
    expect(await kindOf(first)).to.equal('provider-timeout');
    expect(await known()).to.deep.equal(before);
    expect(await pay()).to.deep.equal({ replayed: answerOf(second) });
  });

  it('leaves its lease as it was when it fails after that has expired, so that its version stays true', async () => {
    const { late: slow, first } = await begin(world.provider.timesOutLate());
    const before = await known();
    world.clock.pass(times.lease + 1);
    slow.respond();
    expect(await kindOf(first)).to.equal('provider-timeout');
    expect(await known()).to.deep.equal(before);
    expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
  });

  it('replays what a retry found settled by an operator, whatever has become of the payment since', async () => {
    const { late, first } = await begin();
    const { id } = await thePayment();
    const outcome = { reference: 'ref_found' };
    await world.run(world.useCases.payments.settle, world.admin, { id, outcome });
    world.clock.pass(times.lease);
    const second = await pay();
    expect(second).to.have.nested.property('outcome.done.status', 'succeeded');
    const refund = { paymentId: id, amount: euros(50), reason: null };
    await world.send(world.useCases.refunds.create, world.staff, refund, 'refund');
    late.respond();
    expect(await first).to.deep.equal({ replayed: answerOf(second) });
    expect(await pay()).to.deep.equal({ replayed: answerOf(second) });
  });

  it('makes no call when it was delayed until its lease expired', async () => {
    const heldUp = world.elsewhere({ after: () => world.clock.pass(times.lease) });
    expect(await kindOf(heldUp.send(world.useCases.payments.pay, world.ada, requested(), 'key'))).to.equal(
      'key-in-progress',
    );
    expect(callNames()).to.deep.equal([]);
    expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
  });

  it('can be taken over at once when its outcome could not be stored', async () => {
    const runs: number[] = [];
    const unlucky = world.elsewhere({
      before: () => {
        runs.push(runs.length + 1);
        if (runs.length === 2) throw new UnavailableError('database-unavailable');
      },
    });
    expect(await kindOf(unlucky.send(world.useCases.payments.pay, world.ada, requested(), 'key'))).to.equal(
      'unavailable',
    );
    expect(runs).to.have.lengthOf(3);
    expect(await thePayment()).to.include({ status: 'pending' });
    expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('does not affect a request that reuses its key a day later', async () => {
    const { late: slow, first } = await begin();
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
    world.clock.pass(idempotencyKeyLifetimeMs);
    await world.backgroundJobs.purgeIdempotencyKeys();
    const another = await world.order(world.ada, await world.product());
    const newer = world.provider.answersLate();
    const second = pay('key', another);
    await newer.called;
    const before = await known();
    slow.respond();
    expect(await kindOf(first)).to.equal('key-in-progress');
    expect(await known()).to.deep.equal(before);
    newer.respond();
    expect(await second).to.have.nested.property('outcome.done.orderId', another.id);
    expect(await pay('key', another)).to.deep.equal({ replayed: answerOf(await second) });
  });
});
