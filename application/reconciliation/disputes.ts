import { Dispute, type DisputeDetails, disputeStatuses } from '#domain/dispute.ts';
import { Money } from '#domain/money.ts';
import { Payment } from '#domain/payment.ts';
import { ProviderMismatch } from '../errors.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { SnapshotDependencies } from './dependencies.ts';
import { collectMismatches, type Mismatches } from './mismatches.ts';

/** The most that one dispute can be of, in the minor unit: the sum of a thousand is still an amount of money. */
const maxDisputed = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/**
 * Records the disputes (chargebacks) of a payment that has succeeded, which is locked. Only the provider changes them. A dispute
 * can be of more than was paid, as when exchange rates have changed. A recorded one keeps its amount, with a warning, when another
 * is reported that cannot be counted: a person may have settled it.
 * @returns the mismatches
 */
export const recordDisputes = ({ clock, newId, warn }: SnapshotDependencies) => {
  /** A provider may add statuses. An unknown one blocks refunds until it is known. */
  const readable = (reported: DisputeDetails): DisputeDetails => {
    if (disputeStatuses.includes(reported.status)) return reported;
    const { status, providerReference: disputeReference } = reported;
    warn({ reason: 'unknown-dispute-status', status: String(status), disputeReference });
    return { ...reported, status: 'under_review' };
  };

  /** Updates the dispute in all but its amount. */
  const keepAmount = (payment: Payment, { amount }: Dispute, reported: DisputeDetails): DisputeDetails => {
    warn({
      reason: 'mismatched-dispute-amount',
      paymentId: payment.id,
      disputeReference: reported.providerReference,
      reported: Money.format(reported.amount),
      recorded: Money.format(amount),
    });
    return { ...reported, amount };
  };

  return (recorded: Payment, reported: readonly DisputeDetails[]): Work<Mismatches> =>
    async ({ payments, disputes }) => {
      if (reported.length === 0) return [];
      const at = clock.now();
      const all = new Map(
        (await disputes.findBy('paymentId', [recorded.id])).map((each) => [each.providerReference, each]),
      );
      const mismatches = await collectMismatches(reported.map(readable), async (details) => {
        const before = all.get(details.providerReference);
        const fits = isDisputable(recorded, details);
        if (!fits && before === undefined) throw misfit(recorded, details);
        const words = fits || before === undefined ? details : keepAmount(recorded, before, details);
        const after =
          before === undefined
            ? Dispute.open(newId(), recorded, words, at)
            : Dispute.follow(before, words, at);
        if (after === before) return;
        await (before === undefined ? disputes.add(after) : disputes.save(after));
        all.set(details.providerReference, after);
      });
      const payment = requireFound(await payments.find(recorded.id));
      const disputed = Dispute.sum([...all.values()], payment.amount.currency);
      if (!Money.equals(disputed, payment.disputed))
        await payments.save(Payment.dispute(payment, disputed, at));
      return mismatches;
    };
};

/** Whether the amount of a dispute can be deducted from what is left of a payment. A person may have settled it as nothing. */
export const isDisputable = (payment: Payment, { amount: { amount, currency } }: DisputeDetails): boolean =>
  Number.isSafeInteger(amount) &&
  amount >= 0 &&
  amount <= maxDisputed &&
  currency === payment.amount.currency;

const misfit = ({ id, amount: paid }: Payment, { amount, providerReference }: DisputeDetails) =>
  new ProviderMismatch(
    'payment',
    id,
    `Its dispute ${providerReference} is of ${Money.format(amount)}, of ${Money.format(paid)}.`,
  );
