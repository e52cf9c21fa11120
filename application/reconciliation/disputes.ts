import { Dispute, type DisputeDetails, disputeStatuses } from '#domain/dispute.ts';
import { Money } from '#domain/money.ts';
import { Payment } from '#domain/payment.ts';
import { ProviderMismatch } from '../errors.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import type { MovementDependencies } from './dependencies.ts';
import { apart, type Mismatches, shown } from './mismatches.ts';

/** The most that one dispute can be of, in the minor unit: the sum of a thousand is still an amount of money. */
const maxDisputed = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/**
 * Records the disputes of a payment that has succeeded, which is locked. They move only by the provider's word. A dispute can be of more
 * than was paid, as when exchange rates have changed. A recorded one keeps its amount, with a warning, when another is told that cannot
 * be counted: a person may have settled it.
 * @returns what does not fit
 */
export const recordDisputes = ({ clock, newId, warn }: MovementDependencies) => {
  /** A provider may add words. One that is not known blocks refunds until it is. */
  const readable = (told: DisputeDetails): DisputeDetails => {
    if (disputeStatuses.includes(told.status)) return told;
    const { status, providerReference: disputeReference } = told;
    warn({ reason: 'unknown-dispute-status', status: String(status), disputeReference });
    return { ...told, status: 'under_review' };
  };

  /** The dispute follows in all but its amount. */
  const keepAmount = (payment: Payment, { amount }: Dispute, told: DisputeDetails): DisputeDetails => {
    warn({
      reason: 'unfit-dispute-amount',
      paymentId: payment.id,
      disputeReference: told.providerReference,
      told: shown(told.amount),
      recorded: shown(amount),
    });
    return { ...told, amount };
  };

  return (recorded: Payment, told: readonly DisputeDetails[]): Work<Mismatches> =>
    async ({ payments, disputes }) => {
      if (told.length === 0) return [];
      const at = clock.now();
      const all = new Map(
        (await disputes.findBy('paymentId', [recorded.id])).map((each) => [each.providerReference, each]),
      );
      const mismatches = await apart(told.map(readable), async (details) => {
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
    `Its dispute ${providerReference} is of ${shown(amount)}, of ${shown(paid)}.`,
  );
