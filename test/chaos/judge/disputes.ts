import type { DisputeRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, describePayment, groupedBy, type Judge, sumOf } from './evidence.ts';

/** What the provider's words mean here. */
const statuses: Readonly<Record<string, string>> = {
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  warning_closed: 'closed',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
};

/** Those that have taken the money back. */
const withdrawn = new Set(['needs_response', 'under_review', 'lost']);

/** Every dispute of the provider has a row that says the same, and the reverse. */
export const judgeDisputes: Judge = ({ ledger, rows: { disputes, payments } }) => {
  const byReference = groupedBy(disputes, ({ reference }) => reference);
  const paymentsById = byId(payments);
  const made = new Set(ledger.disputes.map(({ id }) => id));
  const found: Violation[] = [];
  const wrong = (detail: string) => found.push(violation('disputes', detail));

  for (const { id, payment_intent: charge, amount, status } of ledger.disputes) {
    const [row, ...others] = byReference.get(id) ?? [];
    const isSame =
      row?.amount === amount &&
      row.status === statuses[status] &&
      paymentsById.get(row.paymentId)?.reference === charge;
    if (isSame && others.length === 0) continue;
    wrong(`${id} of ${charge} (${status}, ${amount}): ${row === undefined ? 'no row' : describe(row)}`);
  }
  for (const row of disputes) if (!made.has(row.reference)) wrong(`only here: ${describe(row)}`);
  const ofPayments = groupedBy(disputes, ({ paymentId }) => paymentId);
  for (const payment of payments) {
    const taken = (ofPayments.get(payment.id) ?? []).filter(({ status }) => withdrawn.has(status));
    const sum = sumOf(taken, ({ amount }) => amount);
    if (sum !== payment.disputed)
      wrong(`${describePayment(payment)} says ${payment.disputed} disputed, not ${sum}`);
  }
  return found;
};

const describe = ({ reference, paymentId, status, amount }: DisputeRow): string =>
  `dispute ${reference} of payment ${paymentId} (${status}, ${amount})`;
