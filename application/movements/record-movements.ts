import { Payment, type PaymentId } from '#domain/payment.ts';
import { paymentAfter } from '../charge-outcome.ts';
import { chargeSettlement } from '../payments/charge-settlement.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { Movements } from '../ports/followed-charges.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { requireCharge } from './comparison.ts';
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
  const chargeOf = recordCharge(dependencies);
  const refundsOf = recordRefunds(dependencies);
  const disputesOf = recordDisputes(dependencies);
  return ({ paymentId, charge, refunds, disputes }: Movements): Work<Payment | undefined> =>
    async (repositories) => {
      if (paymentId === null) return undefined;
      const { payments } = repositories;
      const payment = await payments.lock(paymentId as PaymentId);
      if (payment === undefined) return undefined;
      const charged = await chargeOf(payment, charge)(repositories);
      // Nothing of a charge that took no money can be refunded or disputed.
      if (!Payment.isPaid(charged) || refunds.length + disputes.length === 0) return charged;
      await refundsOf(charged, refunds)(repositories);
      await disputesOf(charged, disputes)(repositories);
      return requireFound(await payments.find(payment.id));
    };
};

/** Records what became of the charge of a payment, which is locked. A payment that has been decided stays as it is. */
const recordCharge = ({ clock, newId }: MovementDependencies) => {
  const saveSettled = chargeSettlement({ newId });
  return (payment: Payment, charge: ChargeState): Work<Payment> =>
    async (repositories) => {
      if (!Payment.isUndecided(payment) && payment.status !== 'authorized') return payment;
      requireCharge(payment, charge);
      const at = clock.now();
      const after = paymentAfter(payment, charge, at);
      if (after === payment) return payment;
      const order = requireFound(await repositories.orders.lock(payment.orderId));
      await saveSettled(repositories, { payment: after, order }, at);
      return after;
    };
};
