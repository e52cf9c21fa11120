import { type Failure, Payment } from '#domain/payment.ts';
import { Refund, type RefundId } from '#domain/refund.ts';
import type { Clock } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';

/**
 * A late refund failure: reverts a refund that had succeeded and fails later at the provider, with what was recorded of it at its
 * payment, which is locked. Its order stays as it is, because the goods are back.
 * @returns the payment
 * @throws DomainError 'invalid-state' unless the refund has succeeded
 */
export const revertRefund =
  ({ clock }: { readonly clock: Clock }) =>
  (id: RefundId, failure: Failure): Work<Payment> =>
  async ({ refunds, payments }) => {
    const at = clock.now();
    const refund = requireFound(await refunds.lock(id));
    const payment = requireFound(await payments.find(refund.paymentId));
    await refunds.save(Refund.revert(refund, failure, at));
    const reverted = Payment.revertRefund(payment, refund.amount, at);
    await payments.save(reverted);
    return reverted;
  };
