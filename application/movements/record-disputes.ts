import { Dispute, type DisputeDetails, disputeStatuses } from '#domain/dispute.ts';
import { Money } from '#domain/money.ts';
import { Payment } from '#domain/payment.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { requirePart } from './comparison.ts';
import type { MovementDependencies } from './dependencies.ts';

/** Records the disputes of a payment that has succeeded, which is locked. They move only by the provider's word. */
export const recordDisputes = ({ clock, newId, warn }: MovementDependencies) => {
  /** A provider may add words. One that is not known blocks refunds until it is. */
  const readable = (told: DisputeDetails): DisputeDetails => {
    if (disputeStatuses.includes(told.status)) return told;
    const { status, providerReference: disputeReference } = told;
    warn({ reason: 'unknown-dispute-status', status: String(status), disputeReference });
    return { ...told, status: 'under_review' };
  };

  return (recorded: Payment, told: readonly DisputeDetails[]): Work<void> =>
    async ({ payments, disputes }) => {
      if (told.length === 0) return;
      const at = clock.now();
      const all = new Map(
        (await disputes.findBy('paymentId', [recorded.id])).map((each) => [each.providerReference, each]),
      );
      for (const details of told.map(readable)) {
        const { providerReference: reference, amount } = details;
        requirePart(recorded, Payment.captured(recorded), amount, `Its dispute ${reference}`);
        const before = all.get(reference);
        const after =
          before === undefined
            ? Dispute.open(newId(), recorded, details, at)
            : Dispute.follow(before, details, at);
        if (after === before) continue;
        await (before === undefined ? disputes.add(after) : disputes.save(after));
        all.set(reference, after);
      }
      const payment = requireFound(await payments.find(recorded.id));
      const disputed = Dispute.sum([...all.values()], payment.amount.currency);
      if (!Money.equals(disputed, payment.disputed))
        await payments.save(Payment.dispute(payment, disputed, at));
    };
};
