import { Money } from '#domain/money.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import { orderAfterPayment, paymentAfter } from './charge-outcome.ts';
import { ProviderMismatch } from './errors.ts';
import { followPayment } from './look-ups/waiting-payments.ts';
import type { Movements } from './ports/followed-charges.ts';
import type { Clock } from './ports/system.ts';
import type { Work } from './ports/unit-of-work.ts';
import { requireFound } from './preconditions.ts';

interface Dependencies {
  readonly clock: Clock;
}

/**
 * Records what a provider tells of a charge.
 * @returns the payment as it is now; undefined when the charge belongs to none here
 * @throws ProviderMismatch when it tells of other money than was asked for
 */
export const recordMovements =
  ({ clock }: Dependencies) =>
  ({ paymentId, charge }: Movements): Work<Payment | undefined> =>
  async ({ payments, orders, lookUps }) => {
    if (paymentId === null) return undefined;
    const payment = await payments.lock(paymentId as PaymentId);
    if (payment === undefined) return undefined;
    if ('amount' in charge && charge.amount !== undefined && !Money.equals(charge.amount, payment.amount))
      throw new ProviderMismatch('payment', payment.id, 'It says another amount than was asked.');
    const at = clock.now();
    const after = paymentAfter(payment, charge, at);
    if (after === payment) return payment;
    await payments.save(after);
    await followPayment(lookUps, after, at);
    const order = requireFound(await orders.lock(payment.orderId));
    const orderAfter = orderAfterPayment(order, after, at);
    if (orderAfter !== order) await orders.save(orderAfter);
    return after;
  };
