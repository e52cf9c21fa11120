import type { Payment } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { applyRefundOutcome } from '../payments/apply-refund-outcome.ts';
import { isAccepted } from '../payments/schedule-reconciliation.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { SnapshotDependencies } from './dependencies.ts';
import { addExternalRefund, requireExternalRefund } from './external-refunds.ts';
import { collectMismatches, type Mismatches, requireSameId, requireSameMoney } from './mismatches.ts';
import {
  failureOf,
  inOrder,
  isMistaken,
  isNamed,
  matchingRefund,
  outcomeOf,
  referencesOf,
} from './provider-refund.ts';
import { revertRefund } from './revert-refund.ts';

/**
 * Records the refunds of a payment that has succeeded, which is locked: those that were made at the provider (`external-refunds.ts`),
 * those that it has accepted and has ended now, those that fail although they had succeeded, and those that it knows under another
 * reference than the one recorded here.
 * @returns the mismatches
 */
export const recordRefunds = (dependencies: SnapshotDependencies) => {
  const { clock, warn } = dependencies;
  const { settle } = applyRefundOutcome(dependencies);
  const addExternal = addExternalRefund(dependencies);
  const revertSucceeded = revertRefund(dependencies);

  /** Ends a refund that the provider has accepted, with its outcome. */
  const end = async (repositories: Repositories, refund: Refund, reported: ProviderRefund): Promise<void> => {
    requireSameMoney('refund', refund, reported.amount);
    if (refund.origin === 'portico') requireSameId('refund', refund, reported.refundId);
    const outcome = outcomeOf(reported);
    if (outcome !== undefined) await settle(refund.id, outcome)(repositories);
  };

  /** Reverts a refund that has failed after it had succeeded. */
  const revert = async (
    repositories: Repositories,
    refund: Refund,
    reported: ProviderRefund,
  ): Promise<void> => {
    const { id: paymentId, orderId } = await revertSucceeded(refund.id, failureOf(reported))(repositories);
    warn({ reason: 'refund-failed-late', refundId: refund.id, paymentId, orderId });
  };

  /** Gives a refund the reference under which the provider knows it, in place of one that it does not know. */
  const correct = async (
    { refunds }: Repositories,
    { id }: Refund,
    { reference }: ProviderRefund,
  ): Promise<Refund> => {
    const corrected = Refund.correct(requireFound(await refunds.lock(id)), reference, clock.now());
    await refunds.save(corrected);
    return corrected;
  };

  return (recorded: Payment, reported: readonly ProviderRefund[]): Work<Mismatches> =>
    async (repositories) => {
      if (reported.length === 0) return [];
      const known = new Map(
        (await repositories.refunds.findBy('paymentId', [recorded.id])).map((each) => [each.id, each]),
      );
      const references = referencesOf(reported);
      return collectMismatches(inOrder(reported), async (each) => {
        let refund = matchingRefund([...known.values()], each, references);
        if (refund === undefined) {
          const payment = requireFound(await repositories.payments.find(recorded.id));
          requireExternalRefund(payment, each);
          await addExternal(payment, each)(repositories);
          return;
        }
        if (isMistaken(refund, references)) {
          refund = await correct(repositories, refund, each);
          known.set(refund.id, refund);
        }
        const isLate = refund.status === 'succeeded' && each.status === 'failed' && isNamed(refund, each);
        if (isLate) await revert(repositories, refund, each);
        else if (isAccepted(refund)) await end(repositories, refund, each);
      });
    };
};
