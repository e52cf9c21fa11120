import type { DisputeRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, describePayment, groupedBy, type StateJudge, sumOf } from './evidence.ts';

/** Those that have taken the money back. */
const withdrawn = new Set(['needs_response', 'under_review', 'lost']);

/** Every dispute of the provider has a row that says the same, and the reverse. */
export const judgeDisputes: StateJudge = ({ ledger, rows: { disputes, payments } }) => {
  const byReference = groupedBy(disputes, ({ reference }) => reference);
  const paymentsById = byId(payments);
  const made = new Set(ledger.disputes.map(({ reference }) => reference));
  const found: Violation[] = [];
  const wrong = (detail: string) => found.push(violation('disputes', detail));

  for (const { reference, charge, amount, status } of ledger.disputes) {
    const [row, ...others] = byReference.get(reference) ?? [];
    const isSame =
      row?.amount === amount &&
      row.status === status &&
      paymentsById.get(row.paymentId)?.reference === charge;
    if (isSame && others.length === 0) continue;
    wrong(
      `${reference} of ${charge} (${status}, ${amount}): ${row === undefined ? 'no row' : describe(row)}`,
    );
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
