import { Payment, type PaymentId } from '#domain/payment.ts';
import { orderAfterPayment, paymentAfter } from '../charge-outcome.ts';
import { followPayment } from '../look-ups/waiting-payments.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { Movements } from '../ports/followed-charges.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { requireSameId, requireSameMoney } from './comparison.ts';
import type { MovementDependencies } from './dependencies.ts';
import { recordDisputes } from './record-disputes.ts';
import { recordRefunds } from './record-refunds.ts';

/**
 * Records all that a provider tells of a charge: what became of it, its refunds wherever they were asked for, and its disputes. What is
 * recorded already changes nothing. The payment is locked first, so a movement is recorded once, from however many processes.
 * @returns the payment as it is now; undefined when the charge belongs to none here
 * @throws ProviderMismatch when it tells of other money than was asked for
 */
export const recordMovements = (dependencies: MovementDependencies) => {
  const refundsOf = recordRefunds(dependencies);
  const disputesOf = recordDisputes(dependencies);
  return ({ paymentId, charge, refunds, disputes }: Movements): Work<Payment | undefined> =>
    async (repositories) => {
      if (paymentId === null) return undefined;
      const { payments } = repositories;
      const payment = await payments.lock(paymentId as PaymentId);
      if (payment === undefined) return undefined;
      const charged = await recordCharge(payment, charge, dependencies)(repositories);
      // Nothing of a charge that took no money can be refunded or disputed.
      if (!Payment.isPaid(charged) || refunds.length + disputes.length === 0) return charged;
      await refundsOf(charged, refunds)(repositories);
      await disputesOf(charged, disputes)(repositories);
      return requireFound(await payments.find(payment.id));
    };
};

const recordCharge =
  (payment: Payment, charge: ChargeState, { clock }: MovementDependencies): Work<Payment> =>
  async ({ payments, orders, lookUps }) => {
    const at = clock.now();
    const after = paymentAfter(payment, charge, at);
    if (after === payment) return payment;
    if ('amount' in charge) requireSameMoney('payment', payment, charge.amount);
    if ('id' in charge) requireSameId('payment', payment, charge.id);
    await payments.save(after);
    await followPayment(lookUps, after, at);
    const order = requireFound(await orders.lock(payment.orderId));
    const orderAfter = orderAfterPayment(order, after, at);
    if (orderAfter !== order) await orders.save(orderAfter);
    return after;
  };
