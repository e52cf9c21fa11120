import { DomainError } from '#domain/errors.ts';
import { type Failure, Payment } from '#domain/payment.ts';
import type { Refund, RefundId } from '#domain/refund.ts';
import { reconcileSoon } from '../payments/schedule-reconciliation.ts';
import type { RefundState } from '../ports/charge.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { Clock } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { ApplySnapshot } from './apply-snapshot.ts';

interface Dependencies {
  readonly provider: PaymentProvider;
  readonly clock: Clock;
  readonly applySnapshot: ApplySnapshot;
  readonly settle: (id: RefundId, outcome: RefundState) => Work<Refund>;
}

/** The code of a refund that was declined because less is left than it wanted. It is stored, so that a retry gets the same response. */
const amountExceeded = 'amount_exceeded';

/** Handles a refund that the provider declines: money may have moved there that is not recorded here. */
export const refundDeclines = ({ clock, provider, applySnapshot, settle }: Dependencies) => ({
  /**
   * Settles a refund with the outcome on it. Of a declined one the charge is read first, so that an external refund is recorded
   * before the client learns that less is left.
   */
  settleOutcome: async (refund: Refund, outcome: RefundState): Promise<Work<Refund>> => {
    const { id, chargeReference } = refund;
    if (!('declined' in outcome) || chargeReference === null) return settle(id, outcome);
    const snapshot = await provider.lifecycle?.retrieveCharge(chargeReference);
    if (snapshot?.paymentId !== refund.paymentId) return settle(id, outcome);
    return async (repositories) => {
      const recorded = await applySnapshot(snapshot)(repositories);
      const payment = requireFound(await repositories.payments.find(refund.paymentId));
      // Its reconciliation reports the mismatch, hourly until an operator has resolved it.
      if (recorded !== undefined && recorded.mismatches.length > 0)
        await reconcileSoon(repositories.reconciliationTasks, payment, clock.now());
      return settle(id, { declined: exceededBy(payment, refund) ?? outcome.declined })(repositories);
    };
  },

  /** The error of a refund that has failed. */
  errorOf: ({ failure }: Refund): DomainError =>
    new DomainError(
      failure?.code === amountExceeded ? 'amount-exceeded' : 'payment-declined',
      failure?.message ?? 'The refund was declined.',
    ),
});

/** @returns what of the payment is left without the pending refund, when that is less than it wanted */
const exceededBy = (payment: Payment, { amount: { amount } }: Refund): Failure | undefined => {
  const gone = payment.refunded.amount + payment.refunding.amount + payment.disputed.amount - amount;
  const left = Payment.captured(payment).amount - gone;
  if (amount <= left) return undefined;
  const message = `The amount exceeds what is left to refund of the payment, which is ${Math.max(0, left)} in the minor unit of ${payment.amount.currency}.`;
  return { code: amountExceeded, message };
};
