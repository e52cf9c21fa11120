import { expect } from 'chai';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import { DomainError } from '#domain/errors.ts';
import type { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros } from './fixture.ts';
import { aWorld } from './world.ts';

describe('A refund that says what was refunded before', () => {
  const world = ofEachTest(aWorld);
  let payment: Payment;
  beforeEach(async () => {
    ({ payment } = await world.purchase(await world.product({ price: euros(1000) })));
    world.provider.moved.length = 0;
  });

  const give = (amount: number, expectedRefunded: Money): Promise<Refund> =>
    world.refund(world.staff, payment, { amount: euros(amount), expectedRefunded });

  const send = (key: string, amount: number, seen: number): Promise<IdempotentResult<Refund>> =>
    world.send(
      world.useCases.refunds.create,
      world.staff,
      { paymentId: payment.id, amount: euros(amount), reason: null, expectedRefunded: euros(seen) },
      key,
    );

  const paymentNow = (): Promise<Payment> => world.current('payments', payment);

  it('is given once when two have seen the same', async () => {
    await give(100, euros(0));
    const error = await give(100, euros(0)).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DomainError);
    const { kind, message, fieldErrors } = error as DomainError;
    expect(kind).to.equal('conflict');
    expect(message).to.contain('100 in the minor unit of EUR');
    expect(fieldErrors).to.deep.equal([
      { field: 'expectedRefunded', message: 'is not what refunded and refunding add up to: 100' },
    ]);
    expect(await paymentNow()).to.deep.include({ refunded: euros(100), refunding: euros(0) });
    expect(world.provider.moved).to.have.lengthOf(1);
    expect(await give(100, euros(100))).to.include({ status: 'succeeded' });
  });

  it('is given once when twenty have seen the same at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => give(10, euros(0))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
    expect(await paymentNow()).to.deep.include({ refunded: euros(10) });
  });

  it('counts what is on its way, and no more what has failed', async () => {
    world.provider.timesOut();
    expect(await kindOf(send('first', 600, 0))).to.equal('provider-timeout');
    expect(await send('second', 100, 0)).to.have.nested.property('outcome.rejected.kind', 'conflict');
    world.provider.declines();
    expect(await send('third', 100, 600)).to.have.nested.property(
      'outcome.rejected.kind',
      'payment-declined',
    );
    expect(await send('fourth', 100, 700)).to.have.nested.property('outcome.rejected.kind', 'conflict');
    expect(await send('fifth', 100, 600)).to.have.nested.property('outcome.done.status', 'succeeded');
  });

  it('is rejected when less is refunded than was seen', async () => {
    expect(await kindOf(give(100, euros(1)))).to.equal('conflict');
    expect(await paymentNow()).to.deep.equal(payment);
  });

  it('is compared before all else of the payment', async () => {
    await give(1000, euros(0));
    expect(await kindOf(give(1000, euros(0)))).to.equal('conflict');
    expect(await kindOf(give(1000, euros(1000)))).to.equal('invalid-state');
  });

  it('says it in the currency of the payment', async () => {
    const refund = give(100, { amount: 0, currency: 'USD' });
    expect(await invalidFieldsOf(refund)).to.deep.equal(['expectedRefunded.currency']);
  });

  it('is replayed without another look, and so is its rejection', async () => {
    expect(await send('first', 100, 0)).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(await send('first', 100, 0)).to.have.property('replayed');
    expect(await send('second', 100, 0)).to.have.nested.property('outcome.rejected.kind', 'conflict');
    expect(await send('second', 100, 0)).to.deep.equal({ replayed: 'conflict' });
    expect(await kindOf(send('second', 100, 100))).to.equal('key-reused');
    expect(await send('third', 100, 100)).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(world.provider.moved).to.have.lengthOf(2);
  });

  it('is not compared again by a retry, which finds its own refund', async () => {
    world.provider.fails();
    expect(await kindOf(send('key', 600, 0))).to.equal('provider-failed');
    expect(await paymentNow()).to.deep.include({ refunding: euros(600) });
    expect(await send('key', 600, 0)).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(world.provider.moved).to.have.lengthOf(1);
  });

  it('is not compared again by the same request at the same time', async () => {
    const late = world.provider.answersLate();
    const first = send('key', 600, 0);
    const second = send('key', 600, 0);
    await late.called;
    expect(await kindOf(second)).to.equal('key-in-progress');
    late.respond();
    expect(await first).to.have.nested.property('outcome.done.status', 'succeeded');
    expect(await send('key', 600, 0)).to.have.property('replayed');
  });
});
