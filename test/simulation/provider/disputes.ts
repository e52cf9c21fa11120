import type { DisputeStatus } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import type { Random } from '#test/support/random.ts';
import type { Ledger, LedgerCharge } from './ledger.ts';
import type { Timers } from './timers.ts';

/** Time between two words of a bank, in milliseconds. */
const delays = [5_000, 600_000, 20 * 3_600_000, 6 * 24 * 3_600_000];

/** What a bank says of a dispute. It may use a word that is not known here. */
const courses: readonly (readonly (DisputeStatus | 'escalated')[])[] = [
  ['needs_response', 'won'],
  ['needs_response', 'under_review', 'lost'],
  ['needs_response', 'escalated', 'won'],
  ['under_review', 'lost'],
  ['warning', 'closed'],
  ['warning', 'needs_response', 'lost'],
];

/** Lets a payer dispute a charge, some time or other. */
export const planDispute = (timers: Timers, random: Random, ledger: Ledger, charge: LedgerCharge): void => {
  const providerReference = ledger.reference('dp');
  const course = random.pick(courses);
  const share = random.pick([1, 1, 0.5]);
  let at = 0;
  for (const status of course) {
    at += random.pick(delays);
    timers.plan(at, () => {
      timers.note(`a dispute is ${status}: ${providerReference}`);
      ledger.dispute(charge, {
        providerReference,
        amount: { ...charge.amount, amount: Math.ceil((charge.taken?.amount ?? 0) * share) },
        reason: 'fraudulent',
        status: status as DisputeStatus,
        evidenceDueAt: status === 'needs_response' ? Instant.at(timers.now) : null,
      });
    });
  }
};
