import { expect } from 'chai';
import { UnavailableError } from '#application/errors.ts';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { kindOf } from './error-kind.ts';
import { euros, minute, nowhere, page, times } from './stage.ts';
import { aWorld } from './world.ts';

describe('A payment with an idempotency key', () => {
  const world = ofEachTest(aWorld);
  let order: Order;
  beforeEach(async () => {
    order = await world.order(world.ada, await world.product({ price: euros(450) }));
  });

  const requested = (paid = order, paymentMethod = 'tok') => ({ orderId: paid.id, paymentMethod });

  const pay = (key = 'key', paid = order, paymentMethod = 'tok'): Promise<IdempotentResult<Payment>> =>
    world.send(world.useCases.payments.pay, world.ada, requested(paid, paymentMethod), key);

  /** The encoded response of a request, replayed or not. */
  const answerOf = (attempted: IdempotentResult<Payment>): string =>
    'replayed' in attempted ? attempted.replayed : world.write(attempted.outcome);

  const payments = async (): Promise<readonly Payment[]> =>
    (await world.read(world.useCases.payments.list, world.staff, { filter: {}, page })).rows;

  const thePayment = async (): Promise<Payment> => (await payments())[0] ?? expect.fail('There is none.');

  const known = (key = 'key') =>
    world.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.lock(world.ada.userId, key));

  const callNames = () => world.provider.calls.map(({ name }) => name);

  /** Long enough that the reconciler settles what was abandoned. */
  const reconcilePayments = async () => {
    world.clock.pass(times.reconcileAfter);
    return (await world.backgroundJobs.reconcilePayments()).errors;
  };

  it('is made once, and every retry gets a replay', async () => {
    const first = await pay();
    expect(first).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(await pay()).to.deep.equal({ replayed: answerOf(first) });
    expect(callNames()).to.deep.equal(['charge']);
    expect(await payments()).to.have.lengthOf(1);
  });

  it('is not claimed after its deadline, but is settled after it when the call was made before', async () => {
    const time = new SimulatedTime();
    const attempt = { userId: world.ada.userId, role: world.ada.role, key: 'key', fingerprint: 'paying' };
    const phases = world.useCases.payments.pay(world.ada, requested());
    const sent = (deadline: number) => {
      const call: typeof phases.call = async (payment) => {
        time.work(deadline - time.now);
        return phases.call(payment);
      };
      return world.idempotency.process(attempt, { ...phases, call }, world.write, {
        actor: world.ada.userId,
        deadline,
      });
    };
    try {
      expect(await kindOf(sent(time.now))).to.equal('unavailable');
      expect(callNames()).to.deep.equal([]);
      expect(await payments()).to.deep.equal([]);
      const late = await sent(time.now + 50);
      expect(late).to.have.nested.property('outcome.done.status', 'succeeded');
    } finally {
      time.end();
    }
    expect((await thePayment()).status).to.equal('succeeded');
    expect(await pay('key').catch((error: unknown) => error)).to.include({ kind: 'key-reused' });
  });

  it('belongs to one request', async () => {
    await pay('key', order, 'tok_one');
    expect(await kindOf(pay('key', order, 'tok_other'))).to.equal('key-reused');
    expect(callNames()).to.deep.equal(['charge']);
  });

  it('that was declined stays declined, and another key can pay', async () => {
    world.provider.declines();
    expect(await pay()).to.have.nested.property('outcome.rejected.kind', 'payment-declined');
    expect(await pay()).to.deep.equal({ replayed: 'payment-declined' });
    expect(callNames()).to.deep.equal(['charge']);
    expect(await pay('another')).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(await pay()).to.deep.equal({ replayed: 'payment-declined' });
  });

  it('that was rejected stays rejected, although it could succeed now', async () => {
    const canceled = await world.order(world.ada, await world.product());
    await world.become(world.ada, canceled, 'canceled');
    expect(answerOf(await pay('key', canceled))).to.equal('invalid-state');
    expect(await pay('key', canceled)).to.deep.equal({ replayed: 'invalid-state' });
    expect(answerOf(await pay('other', { ...order, id: nowhere() }))).to.equal('not-found');
    expect(await pay('other', { ...order, id: nowhere() })).to.deep.equal({ replayed: 'not-found' });
    expect(await kindOf(pay('other'))).to.equal('key-reused');
  });

  it('that was invalid leaves the key unused', async () => {
    expect(await kindOf(pay('key', order, ''))).to.equal('validation');
    const bobs = await world.order(world.bob, await world.product());
    expect(await kindOf(pay('key', bobs))).to.equal('forbidden');
    expect(await pay('key')).to.have.nested.property('outcome.done.status', 'succeeded');
  });

  it('expires 24 hours after its creation, and not before', async () => {
    const first = await pay();
    world.clock.pass(idempotencyKeyLifetimeMs - 1);
    expect(await pay()).to.deep.equal({ replayed: answerOf(first) });
    world.clock.pass(1);
    expect(answerOf(await pay())).to.equal('invalid-state');
    expect(await payments()).to.have.lengthOf(1);
  });

  describe('whose provider', () => {
    it('failed is taken over at once by a retry, which repeats the same charge', async () => {
      world.provider.fails();
      expect(await kindOf(pay())).to.equal('provider-failed');
      const { id } = await thePayment();
      expect(await pay()).to.have.nested.property('outcome.done.id', id);
      expect(callNames()).to.deep.equal(['charge', 'charge']);
      expect(world.provider.moved).to.deep.equal([{ id, amount: euros(450) }]);
      expect(await world.current('orders', order)).to.include({ status: 'paid' });
      expect(await pay()).to.have.property('replayed');
    });

    it('charged and timed out recognizes the retry of the same charge', async () => {
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      expect((await thePayment()).status).to.equal('pending');
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(callNames()).to.deep.equal(['charge', 'charge']);
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('declined and timed out declines the retry too', async () => {
      world.provider.declinesAndTimesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      expect(answerOf(await pay())).to.equal('payment-declined');
      expect(await thePayment()).to.include({ status: 'failed' });
      expect(await world.current('orders', order)).to.include({ status: 'pending', paying: false });
      expect(callNames()).to.deep.equal(['charge', 'charge']);
    });

    it('fails repeatedly keeps the payment pending, and charges once in the end', async () => {
      for (let failures = 0; failures < 5; failures += 1) {
        world.provider.fails();
        expect(await kindOf(pay())).to.equal('provider-failed');
        expect((await thePayment()).status).to.equal('pending');
      }
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(await payments()).to.have.lengthOf(1);
      expect(world.provider.moved).to.have.lengthOf(1);
      expect(await known()).to.have.nested.property('lease.fencingToken', 6);
    });

    it('is unavailable keeps the payment pending', async () => {
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      const { id } = await thePayment();
      world.provider.unreachable.add(id);
      expect(await kindOf(pay())).to.equal('provider-failed');
      world.provider.unreachable.clear();
      expect(await pay()).to.have.nested.property('outcome.done.id', id);
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('rejects a different request with the key, even while the first is unsettled', async () => {
      world.provider.fails();
      expect(await kindOf(pay('key', order, 'tok_one'))).to.equal('provider-failed');
      expect(await kindOf(pay('key', order, 'tok_other'))).to.equal('key-reused');
    });

    it('left it unsettled keeps the key, even after 24 hours', async () => {
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      world.clock.pass(2 * idempotencyKeyLifetimeMs);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('may have forgotten the charge is asked to close it, not to repeat it', async () => {
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      world.clock.pass(world.provider.port.idempotencyWindowMs - 1);
      world.provider.unreachable.add((await thePayment()).id);
      expect(await kindOf(pay())).to.equal('provider-failed');
      world.provider.unreachable.clear();
      world.clock.pass(1);
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(callNames()).to.deep.equal(['charge', 'charge', 'closeCharge']);
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('was replaced by another is not called', async () => {
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      world.provider.rename('another');
      expect(await kindOf(pay())).to.equal('provider-failed');
      expect(await reconcilePayments()).to.have.lengthOf(1);
      expect(callNames()).to.deep.equal(['charge']);
      expect(await thePayment()).to.include({ status: 'pending' });
      world.provider.rename('scripted');
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
    });

    it('is not needed for a payment of 0 is not called', async () => {
      const gift = await world.order(world.ada, await world.product({ price: euros(0) }));
      const paid = await pay('gift', gift);
      expect(paid).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(await world.current('orders', gift)).to.include({ status: 'paid', paying: false });
      expect(await pay('gift', gift)).to.deep.equal({ replayed: answerOf(paid) });
      expect(await known('gift')).to.have.nested.property('lease.leaseUntil', null);
      expect(callNames()).to.deep.equal([]);
    });
  });

  describe('in progress', () => {
    it('rejects retries until its lease expires', async () => {
      const late = world.provider.answersLate();
      const first = pay();
      await late.called;
      expect(await kindOf(pay())).to.equal('key-in-progress');
      world.clock.pass(times.lease - 1);
      expect(await kindOf(pay())).to.equal('key-in-progress');
      late.respond();
      expect(await first).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(await pay()).to.deep.equal({ replayed: answerOf(await first) });
      expect(callNames()).to.deep.equal(['charge']);
    });

    it('rejects each of two thousand retries while its lease runs, and makes no second call', async () => {
      const late = world.provider.answersLate();
      const first = pay();
      await late.called;
      for (let count = 1; count <= 2_000; count += 1)
        expect(await kindOf(pay()), `retry ${count}`).to.equal('key-in-progress');
      expect(callNames()).to.deep.equal(['charge']);
      late.respond();
      expect(await first).to.have.nested.property('outcome.done.status', 'succeeded');
    });

    it('rejects a different request with the key', async () => {
      const late = world.provider.answersLate();
      const first = pay('key', order, 'tok_one');
      await late.called;
      expect(await kindOf(pay('key', order, 'tok_other'))).to.equal('key-reused');
      late.respond();
      await first;
    });

    it('is taken over by one of twenty when its lease has expired', async () => {
      const late = world.provider.answersLate();
      const first = pay();
      await late.called;
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
      const late = world.provider.answersLate();
      const first = pay();
      await late.called;
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
      const late = world.provider.answersLate();
      const first = pay();
      await late.called;
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
      const slow = world.provider.answersLate();
      const first = pay();
      await slow.called;
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
      const slow = world.provider.timesOutLate();
      const first = pay();
      await slow.called;
      world.clock.pass(times.lease);
      const second = await pay();
      const before = await known();
      slow.respond();
      expect(await kindOf(first)).to.equal('provider-timeout');
      expect(await known()).to.deep.equal(before);
      expect(await pay()).to.deep.equal({ replayed: answerOf(second) });
    });

    it('leaves its lease as it was when it fails after that has expired, so that its version stays true', async () => {
      const slow = world.provider.timesOutLate();
      const first = pay();
      await slow.called;
      const before = await known();
      world.clock.pass(times.lease + 1);
      slow.respond();
      expect(await kindOf(first)).to.equal('provider-timeout');
      expect(await known()).to.deep.equal(before);
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
    });

    it('replays what a retry found settled by an operator, whatever has become of the payment since', async () => {
      const late = world.provider.answersLate();
      const first = pay();
      await late.called;
      const { id } = await thePayment();
      const verdict = { reference: 'ref_found' };
      await world.run(world.useCases.payments.settle, world.admin, { id, verdict });
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
      const slow = world.provider.answersLate();
      const first = pay();
      await slow.called;
      expect(await reconcilePayments()).to.deep.equal([]);
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

  describe('that its client abandoned', () => {
    it('is settled by the reconciler, and a later retry gets the response', async () => {
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      expect(await reconcilePayments()).to.deep.equal([]);
      const payment = await thePayment();
      expect(payment.status).to.equal('succeeded');
      expect(await world.current('orders', order)).to.include({ status: 'paid', paying: false });
      expect(await pay()).to.deep.equal({ outcome: { done: payment } });
      expect(await pay()).to.deep.equal({ replayed: JSON.stringify(payment) });
      expect(callNames()).to.deep.equal(['charge', 'closeCharge']);
    });

    it('is settled as failed when the provider never received it, and the order can be paid again', async () => {
      world.provider.fails();
      expect(await kindOf(pay())).to.equal('provider-failed');
      expect(await reconcilePayments()).to.deep.equal([]);
      expect(await thePayment()).to.deep.include({
        status: 'failed',
        failure: { code: 'not_charged', message: 'The provider never received the charge.' },
      });
      expect(await pay('another')).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(answerOf(await pay())).to.equal('payment-declined');
      expect(await pay()).to.deep.equal({ replayed: 'payment-declined' });
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('moves no money when it reaches the provider after it was settled as failed', async () => {
      const late = world.provider.arrivesLate();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      expect(await reconcilePayments()).to.deep.equal([]);
      expect(late.arrive()).to.have.nested.property('declined.code', 'not_charged');
      expect(await thePayment()).to.include({ status: 'failed' });
      expect(world.provider.moved).to.deep.equal([]);
    });

    it('is settled as declined when the provider declined it', async () => {
      world.provider.declinesAndTimesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      expect(await reconcilePayments()).to.deep.equal([]);
      expect(await thePayment()).to.deep.include({
        status: 'failed',
        failure: { code: 'card_declined', message: 'The card was declined.' },
      });
      expect(await world.current('orders', order)).to.include({ status: 'pending', paying: false });
      expect(answerOf(await pay())).to.equal('payment-declined');
      expect(callNames()).to.deep.equal(['charge', 'closeCharge']);
    });

    it('is settled once, even if its client retries at the same time', async () => {
      const slow = world.provider.answersLate();
      const first = pay();
      await slow.called;
      expect(await reconcilePayments()).to.deep.equal([]);
      const payment = await thePayment();
      slow.respond();
      expect(await first).to.deep.equal({ outcome: { done: payment } });
      expect(await thePayment()).to.deep.equal(payment);
      expect(await pay()).to.deep.equal({ replayed: JSON.stringify(payment) });
      expect(world.provider.moved).to.have.lengthOf(1);
    });
  });
});
