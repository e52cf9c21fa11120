import type { Payment } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { applyRefundOutcome } from '../payments/apply-refund-outcome.ts';
import { isAccepted } from '../payments/schedule-reconciliation.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { MovementDependencies } from './dependencies.ts';
import { addOutsideRefund, requireOutsideRefund } from './external-refunds.ts';
import { apart, type Mismatches, requireSameId, requireSameMoney } from './mismatches.ts';
import {
  failureOf,
  inOrder,
  isMistaken,
  isNamed,
  outcomeOf,
  referencesOf,
  refundHere,
} from './provider-refund.ts';
import { takeBackRefund } from './revert-refund.ts';

/**
 * Records the refunds of a payment that has succeeded, which is locked: those that were made at the provider (`external-refunds.ts`),
 * those that it has accepted and has ended now, those that fail although they had succeeded, and those that it knows under another
 * reference than the one recorded here.
 * @returns what does not fit
 */
export const recordRefunds = (dependencies: MovementDependencies) => {
  const { clock, warn } = dependencies;
  const { settle } = applyRefundOutcome(dependencies);
  const addOutside = addOutsideRefund(dependencies);
  const takeBack = takeBackRefund(dependencies);

  /** Ends a refund that the provider has accepted, with its outcome. */
  const end = async (repositories: Repositories, refund: Refund, told: ProviderRefund): Promise<void> => {
    requireSameMoney('refund', refund, told.amount);
    if (refund.origin === 'portico') requireSameId('refund', refund, told.refundId);
    const outcome = outcomeOf(told);
    if (outcome !== undefined) await settle(refund.id, outcome)(repositories);
  };

  /** Takes back a refund that has failed after it had succeeded. */
  const revert = async (repositories: Repositories, refund: Refund, told: ProviderRefund): Promise<void> => {
    const { id: paymentId, orderId } = await takeBack(refund.id, failureOf(told))(repositories);
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

  return (recorded: Payment, told: readonly ProviderRefund[]): Work<Mismatches> =>
    async (repositories) => {
      if (told.length === 0) return [];
      const known = new Map(
        (await repositories.refunds.findBy('paymentId', [recorded.id])).map((each) => [each.id, each]),
      );
      const references = referencesOf(told);
      return apart(inOrder(told), async (each) => {
        let refund = refundHere([...known.values()], each, references);
        if (refund === undefined) {
          const payment = requireFound(await repositories.payments.find(recorded.id));
          requireOutsideRefund(payment, each);
          await addOutside(payment, each)(repositories);
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
