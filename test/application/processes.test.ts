import { expect } from 'chai';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { kindOf } from './error-kind.ts';
import { euros, nowhere } from './fixture.ts';
import { keyedPayments } from './keyed-payments.ts';

describe('A payment with an idempotency key', () => {
  const {
    world,
    order,
    timeOut,
    requested,
    pay,
    answerOf,
    payments,
    thePayment,
    known,
    callNames,
    recoverAbandonedProcesses,
  } = keyedPayments();

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
      await timeOut();
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
      await timeOut();
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
      await timeOut();
      world.clock.pass(2 * idempotencyKeyLifetimeMs);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect(await pay()).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('may have forgotten the charge is asked to close it, not to repeat it', async () => {
      await timeOut();
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
      await timeOut();
      world.provider.rename('another');
      expect(await kindOf(pay())).to.equal('provider-failed');
      expect(await recoverAbandonedProcesses()).to.have.lengthOf(1);
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
});
