import { Payment, type PaymentId } from '#domain/payment.ts';
import { applyChargeOutcome } from '../payments/apply-charge-outcome.ts';
import { expiryOf, paymentAfter } from '../payments/charge-outcome.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { ChargeSnapshot } from '../ports/charge-lifecycle.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { SnapshotDependencies } from './dependencies.ts';
import { recordDisputes } from './disputes.ts';
import { collectMismatches, type Mismatches, requireCharge } from './mismatches.ts';
import { recordRefunds } from './refunds.ts';

export interface AppliedSnapshot {
  /** The payment as it is now. */
  readonly payment: Payment;
  /** What was not recorded, because it differs from what was asked. */
  readonly mismatches: Mismatches;
}

/** Records the snapshot of a charge. @returns undefined when the charge belongs to no payment here */
export type ApplySnapshot = (snapshot: ChargeSnapshot) => Work<AppliedSnapshot | undefined>;

/**
 * Records everything in the snapshot of a charge, wherever it was requested:
 *
 * - what became of the charge, and its capture when that was made at the provider (`external-captures.ts`)
 * - its refunds: those that end or fail late (`refunds.ts`), and those that were made at the provider (`external-refunds.ts`)
 * - its disputes (`disputes.ts`)
 *
 * What is recorded already changes nothing, and a mismatch holds back nothing else. The payment is locked first, so each refund or dispute is
 * recorded once, from however many processes.
 */
export const applySnapshot = (dependencies: SnapshotDependencies): ApplySnapshot => {
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
      const mismatches = await collectMismatches([charge], async (state) => {
        payment = await chargeOf(locked, state)(repositories);
      });
      // Nothing of a charge that captured no money can be refunded or disputed.
      if (!Payment.isPaid(payment) || refunds.length + disputes.length === 0) return { payment, mismatches };
      const ofRefunds = await refundsOf(payment, refunds)(repositories);
      const ofDisputes = await disputesOf(payment, disputes)(repositories);
      return {
        payment: requireFound(await payments.find(payment.id)),
        mismatches: [...mismatches, ...ofRefunds, ...ofDisputes],
      };
    };
};

/** Records what became of the charge of a payment, which is locked. A payment that has been decided stays as it is. */
const recordCharge = ({ clock, ...settlement }: SnapshotDependencies) => {
  const applyOutcome = applyChargeOutcome(settlement);
  return (payment: Payment, charge: ChargeState): Work<Payment> =>
    async (repositories) => {
      if (!Payment.isUndecided(payment) && payment.status !== 'authorized') return payment;
      requireCharge(payment, charge);
      const at = clock.now();
      const after = paymentAfter(payment, charge, at, expiryOf(payment, charge, at));
      if (after === payment) return payment;
      const order = requireFound(await repositories.orders.lock(payment.orderId));
      await applyOutcome(repositories, { payment: after, order }, at);
      return after;
    };
};
