import { Payment, type PaymentId } from '#domain/payment.ts';
import { applyChargeOutcome } from '../payments/apply-charge-outcome.ts';
import { expiryOf, paymentAfter } from '../payments/charge-outcome.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { ChargeSnapshot } from '../ports/charge-lifecycle.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { MovementDependencies } from './dependencies.ts';
import { recordDisputes } from './disputes.ts';
import { apart, type Mismatches, requireCharge } from './mismatches.ts';
import { recordRefunds } from './refunds.ts';

export interface Recorded {
  /** The payment as it is now. */
  readonly payment: Payment;
  /** What was not recorded, because it does not fit. */
  readonly mismatches: Mismatches;
}

/** Records what a provider tells of a charge. @returns undefined when the charge belongs to no payment here */
export type RecordMovements = (movements: ChargeSnapshot) => Work<Recorded | undefined>;

/**
 * Records all that a provider tells of a charge, wherever it was asked for:
 *
 * - what became of the charge, and its capture when that was made at the provider (`external-captures.ts`)
 * - its refunds: those that end or fail late (`refunds.ts`), and those that were made at the provider (`external-refunds.ts`)
 * - its disputes (`disputes.ts`)
 *
 * What is recorded already changes nothing, and what does not fit holds back nothing else. The payment is locked first, so a movement is
 * recorded once, from however many processes.
 */
export const recordMovements = (dependencies: MovementDependencies): RecordMovements => {
  const chargeOf = recordCharge(dependencies);
  const refundsOf = recordRefunds(dependencies);
  const disputesOf = recordDisputes(dependencies);
  return ({ paymentId, charge, refunds, disputes }) =>
    async (repositories) => {
      if (paymentId === null) return undefined;
      const { payments } = repositories;
      const locked = await payments.lock(paymentId as PaymentId);
      if (locked === undefined) return undefined;
      let payment = locked;
      const unfit = await apart([charge], async (state) => {
        payment = await chargeOf(locked, state)(repositories);
      });
      // Nothing of a charge that took no money can be refunded or disputed.
      if (!Payment.isPaid(payment) || refunds.length + disputes.length === 0)
        return { payment, mismatches: unfit };
      const unfitRefunds = await refundsOf(payment, refunds)(repositories);
      const unfitDisputes = await disputesOf(payment, disputes)(repositories);
      return {
        payment: requireFound(await payments.find(payment.id)),
        mismatches: [...unfit, ...unfitRefunds, ...unfitDisputes],
      };
    };
};

/** Records what became of the charge of a payment, which is locked. A payment that has been decided stays as it is. */
const recordCharge = ({ clock, ...settlement }: MovementDependencies) => {
  const saveSettled = applyChargeOutcome(settlement);
  return (payment: Payment, charge: ChargeState): Work<Payment> =>
    async (repositories) => {
      if (!Payment.isUndecided(payment) && payment.status !== 'authorized') return payment;
      requireCharge(payment, charge);
      const at = clock.now();
      const after = paymentAfter(payment, charge, at, expiryOf(payment, charge, at));
      if (after === payment) return payment;
      const order = requireFound(await repositories.orders.lock(payment.orderId));
      await saveSettled(repositories, { payment: after, order }, at);
      return after;
    };
};
