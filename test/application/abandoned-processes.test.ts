import { expect } from 'chai';
import { kindOf } from './error-kind.ts';
import { keyedPayments } from './keyed-payments.ts';

describe('A payment with an idempotency key that its client abandoned', () => {
  const { world, order, begin, timeOut, pay, answerOf, thePayment, callNames, recoverAbandonedProcesses } =
    keyedPayments();

  it('is settled by the reconciler, and a later retry gets the response', async () => {
    await timeOut();
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
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
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
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
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
    expect(late.arrive()).to.have.nested.property('declined.code', 'not_charged');
    expect(await thePayment()).to.include({ status: 'failed' });
    expect(world.provider.moved).to.deep.equal([]);
  });

  it('is settled as declined when the provider declined it', async () => {
    world.provider.declinesAndTimesOut();
    expect(await kindOf(pay())).to.equal('provider-timeout');
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
    expect(await thePayment()).to.deep.include({
      status: 'failed',
      failure: { code: 'card_declined', message: 'The card was declined.' },
    });
    expect(await world.current('orders', order)).to.include({ status: 'pending', paying: false });
    expect(answerOf(await pay())).to.equal('payment-declined');
    expect(callNames()).to.deep.equal(['charge', 'closeCharge']);
  });

  it('is settled once, even if its client retries at the same time', async () => {
    const { late: slow, first } = await begin();
    expect(await recoverAbandonedProcesses()).to.deep.equal([]);
    const payment = await thePayment();
    slow.respond();
    expect(await first).to.deep.equal({ outcome: { done: payment } });
    expect(await thePayment()).to.deep.equal(payment);
    expect(await pay()).to.deep.equal({ replayed: JSON.stringify(payment) });
    expect(world.provider.moved).to.have.lengthOf(1);
  });
});
