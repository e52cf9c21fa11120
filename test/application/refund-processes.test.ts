import { expect } from 'chai';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import { maxRequestLifetimeMs } from '#application/ports/payment-provider.ts';
import type { Payment } from '#domain/payment.ts';
import type { Product } from '#domain/product.ts';
import type { Refund } from '#domain/refund.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { euros, page, times } from './fixture.ts';
import { aWorld } from './world.ts';

describe('A refund with an idempotency key', () => {
  const world = ofEachTest(aWorld);
  let product: Product;
  let payment: Payment;
  beforeEach(async () => {
    product = await world.product({ price: euros(1000), stock: 5 });
    ({ payment } = await world.purchase(product));
    world.provider.calls.length = 0;
    world.provider.moved.length = 0;
  });

  const give = (key = 'key', amount = 1000): Promise<IdempotentResult<Refund>> =>
    world.send(
      world.useCases.refunds.create,
      world.staff,
      { paymentId: payment.id, amount: euros(amount), reason: null },
      key,
    );

  const theRefund = async (): Promise<Refund> => {
    const { rows } = await world.read(world.useCases.refunds.list, world.staff, { filter: {}, page });
    return rows[0] ?? expect.fail('There is none.');
  };

  const paymentNow = (): Promise<Payment> => world.current('payments', payment);
  const callNames = () => world.provider.calls.map(({ name }) => name);

  /** How long it takes until nothing of it can still be on its way. */
  const forgotten = (): number => world.provider.port.idempotencyWindowMs + maxRequestLifetimeMs;

  const recoverAbandonedProcesses = async () => {
    world.clock.pass(times.reconcileAfter);
    return (await world.backgroundJobs.recoverAbandonedProcesses()).errors;
  };

  it('is made once, and every retry gets a replay', async () => {
    const first = await give('key', 300);
    expect(first).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(await give('key', 300)).to.have.property('replayed');
    expect(await kindOf(give('key', 301))).to.equal('key-reused');
    expect(world.provider.moved).to.have.lengthOf(1);
    expect(await paymentNow()).to.deep.include({ refunded: euros(300) });
  });

  it('that exceeded the amount stays rejected', async () => {
    expect(await give('key', 1001)).to.have.nested.property('outcome.rejected.kind', 'amount-exceeded');
    expect(await give('key', 1001)).to.deep.equal({ replayed: 'amount-exceeded' });
  });

  it('that was declined stays declined', async () => {
    world.provider.declines();
    expect(await give()).to.have.nested.property('outcome.rejected.kind', 'payment-declined');
    expect(await give()).to.deep.equal({ replayed: 'payment-declined' });
    expect(callNames()).to.deep.equal(['refund']);
  });

  it('whose provider failed is taken over by a retry, which repeats the same refund', async () => {
    world.provider.fails();
    expect(await kindOf(give())).to.equal('provider-failed');
    expect(await give()).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(callNames()).to.deep.equal(['refund', 'refund']);
    expect(world.provider.moved).to.have.lengthOf(1);
    expect(await world.stockOf(product)).to.equal(5);
  });

  it('whose provider timed out is never made twice', async () => {
    world.provider.timesOut();
    expect(await kindOf(give())).to.equal('provider-timeout');
    expect(await give()).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(callNames()).to.deep.equal(['refund', 'refund']);
    expect(await paymentNow()).to.deep.include({ status: 'refunded', refunded: euros(1000) });
    expect(await world.stockOf(product)).to.equal(5);
  });

  it('that resumes after another process took over writes nothing (fencing token)', async () => {
    const slow = world.provider.answersLate();
    const first = give();
    await slow.called;
    expect(await kindOf(give())).to.equal('key-in-progress');
    world.clock.pass(times.lease);
    const second = await give();
    const before = [await theRefund(), await paymentNow(), await world.stockOf(product)];
    slow.respond();
    expect(await first).to.deep.equal({
      replayed: 'outcome' in second ? world.write(second.outcome) : expect.fail(),
    });
    expect([await theRefund(), await paymentNow(), await world.stockOf(product)]).to.deep.equal(before);
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('is not repeated when the provider may have forgotten it, and found when it was made', async () => {
    world.provider.timesOut();
    expect(await kindOf(give())).to.equal('provider-timeout');
    world.clock.pass(forgotten());
    expect(await give()).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(callNames()).to.deep.equal(['refund', 'closeRefund']);
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('is neither repeated nor declined while a request may be in flight', async () => {
    const late = world.provider.arrivesLate();
    expect(await kindOf(give())).to.equal('provider-timeout');
    world.clock.pass(world.provider.port.idempotencyWindowMs);
    expect(await kindOf(give())).to.equal('provider-timeout');
    expect(callNames()).to.deep.equal(['refund']);
    late.arrive();
    world.clock.pass(maxRequestLifetimeMs);
    expect(await give()).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('is not repeated when the provider may have forgotten it, and failed when it was never made', async () => {
    world.provider.fails();
    expect(await kindOf(give())).to.equal('provider-failed');
    world.clock.pass(forgotten());
    expect(await give()).to.have.nested.property('outcome.rejected.kind', 'payment-declined');
    expect(callNames()).to.deep.equal(['refund', 'closeRefund']);
    expect(await give('another')).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('is not started with another provider than that of the charge', async () => {
    world.provider.rename('another');
    expect(await kindOf(give())).to.equal('provider-failed');
    expect(await paymentNow()).to.deep.equal(payment);
    world.provider.rename('scripted');
    expect(await give()).to.have.nested.property('outcome.done.status', 'succeeded');
  });

  it('stays unchanged while another provider is configured', async () => {
    world.provider.timesOut();
    expect(await kindOf(give())).to.equal('provider-timeout');
    world.provider.rename('another');
    expect(await recoverAbandonedProcesses()).to.have.lengthOf(1);
    expect(await theRefund()).to.include({ status: 'pending' });
    world.provider.rename('scripted');
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
    expect(await theRefund()).to.include({ status: 'succeeded' });
    expect(callNames()).to.deep.equal(['refund', 'refund']);
  });

  describe('that its client abandoned', () => {
    it('is settled by the reconciler, and a later retry gets the response', async () => {
      world.provider.timesOut();
      expect(await kindOf(give())).to.equal('provider-timeout');
      expect(await recoverAbandonedProcesses()).to.deep.equal([]);
      const refund = await theRefund();
      expect(refund.status).to.equal('succeeded');
      expect(await paymentNow()).to.deep.include({ status: 'refunded', refunding: euros(0) });
      expect(await world.stockOf(product)).to.equal(5);
      expect(await give()).to.deep.equal({ outcome: { done: refund } });
      expect(await give()).to.deep.equal({ replayed: JSON.stringify(refund) });
      expect(callNames()).to.deep.equal(['refund', 'refund']);
    });

    it('is made by the reconciler when the provider never received it', async () => {
      world.provider.fails();
      expect(await kindOf(give())).to.equal('provider-failed');
      expect(await recoverAbandonedProcesses()).to.deep.equal([]);
      expect(await theRefund()).to.include({ status: 'succeeded' });
      expect(callNames()).to.deep.equal(['refund', 'refund']);
      expect(world.provider.moved).to.have.lengthOf(1);
    });

    it('is settled as failed when the provider declined, and its amount can be refunded again', async () => {
      world.provider.declinesAndTimesOut();
      expect(await kindOf(give())).to.equal('provider-timeout');
      expect(await recoverAbandonedProcesses()).to.deep.equal([]);
      expect(await theRefund()).to.include({ status: 'failed' });
      expect(await paymentNow()).to.deep.include({ status: 'succeeded', refunding: euros(0) });
      expect(await give('another')).to.have.nested.property('outcome.done.status', 'succeeded');
      expect(await give()).to.have.nested.property('outcome.rejected.kind', 'payment-declined');
    });
  });
});
