import { expect } from 'chai';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { Payment } from '#domain/payment.ts';
import { ofEachTest } from '#test/support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { euros, page, times } from './fixture.ts';
import { aWorld } from './world.ts';

/** Payments of one order with an idempotency key, for the tests of the surrounding `describe`. */
export const keyedPayments = () => {
  const world = ofEachTest(aWorld);
  const order = ofEachTest(async () => world.order(world.ada, await world.product({ price: euros(450) })));

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
  const recoverAbandonedProcesses = async () => {
    world.clock.pass(times.reconcileAfter);
    return (await world.backgroundJobs.recoverAbandonedProcesses()).errors;
  };

  /** Begins a payment whose provider responds once `late.respond` is called. */
  const begin = async (late = world.provider.answersLate(), ...request: Parameters<typeof pay>) => {
    const first = pay(...request);
    await late.called;
    return { late, first };
  };

  /** Pays, and the provider charges and does not answer in time. */
  const timeOut = async (): Promise<void> => {
    world.provider.timesOut();
    expect(await kindOf(pay())).to.equal('provider-timeout');
  };

  return {
    world,
    order,
    begin,
    timeOut,
    requested,
    pay,
    answerOf,
    payments,
    thePayment,
    known,
    callNames,
    recoverAbandonedProcesses,
  };
};
