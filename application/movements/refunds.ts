import { Payment } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { isAccepted } from '../look-ups/waiting-payments.ts';
import type { ProviderRefund } from '../ports/followed-charges.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { refundSettlement } from '../refunds/refund-settlement.ts';
import { apart, type Mismatches, requireSameId, requireSameMoney } from './comparison.ts';
import type { MovementDependencies } from './dependencies.ts';
import { addOutsideRefund, requireOutsideRefund } from './outside-refunds.ts';
import { failureOf, inOrder, isNamed, refundHere, verdictOf } from './provider-refund.ts';

/**
 * Records the refunds of a payment that has succeeded, which is locked: those that were made at the provider (`outside-refunds.ts`),
 * those that it has accepted and has ended now, and those that fail although they had succeeded.
 * @returns what does not fit
 */
export const recordRefunds = (dependencies: MovementDependencies) => {
  const { clock, warn } = dependencies;
  const { settle } = refundSettlement(dependencies);
  const addOutside = addOutsideRefund(dependencies);

  /** Ends a refund that the provider has accepted, with its verdict. */
  const end = async (repositories: Repositories, refund: Refund, told: ProviderRefund): Promise<void> => {
    requireSameMoney('refund', refund, told.amount);
    if (refund.origin === 'portico') requireSameId('refund', refund, told.refundId);
    const verdict = verdictOf(told);
    if (verdict !== undefined) await settle(refund.id, verdict)(repositories);
  };

  /**
   * Takes back a refund that has failed after it had succeeded, with what was recorded of it. Its order stays as it is, because the goods
   * are back.
   */
  const revert = async (
    { refunds, payments }: Repositories,
    refund: Refund,
    told: ProviderRefund,
  ): Promise<void> => {
    const at = clock.now();
    const payment = requireFound(await payments.find(refund.paymentId));
    await refunds.save(Refund.revert(requireFound(await refunds.lock(refund.id)), failureOf(told), at));
    await payments.save(Payment.revertRefund(payment, refund.amount, at));
    warn({
      reason: 'refund-failed-late',
      refundId: refund.id,
      paymentId: payment.id,
      orderId: payment.orderId,
    });
  };

  return (recorded: Payment, told: readonly ProviderRefund[]): Work<Mismatches> =>
    async (repositories) => {
      if (told.length === 0) return [];
      const known = await repositories.refunds.findBy('paymentId', [recorded.id]);
      return apart(inOrder(told), async (each) => {
        const refund = refundHere(known, each);
        if (refund === undefined) {
          const payment = requireFound(await repositories.payments.find(recorded.id));
          requireOutsideRefund(payment, each);
          await addOutside(payment, each)(repositories);
          return;
        }
        const isLate = refund.status === 'succeeded' && each.status === 'failed' && isNamed(refund, each);
        if (isLate) await revert(repositories, refund, each);
        else if (isAccepted(refund)) await end(repositories, refund, each);
      });
    };
};
