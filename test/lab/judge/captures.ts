import type { CaptureRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, describePayment, groupedBy, isCapturedOutside, type StateJudge } from './evidence.ts';

/**
 * Every capture of the provider is one of ours that went through, and the reverse, those in its dashboard too. A payment has one that has
 * not failed at most.
 */
export const judgeCaptures: StateJudge = ({ ledger, rows }) => {
  const ours = byId(rows.captures);
  const payments = byId(rows.payments);
  const found: Violation[] = [];
  const wrong = (detail: string) => found.push(violation('captures', detail));

  for (const { reference, captureId, charge, amount } of ledger.captures) {
    const row =
      captureId === null
        ? rows.captures.find((one) => one.reference === reference && one.status === 'succeeded')
        : ours.get(captureId);
    const isSame = row?.status === 'succeeded' && row.amount === amount && row.reference === reference;
    if (isSame && payments.get(row.paymentId)?.reference === charge) continue;
    wrong(`${reference} took ${amount}: ${row === undefined ? `no capture ${captureId}` : describe(row)}`);
  }
  const captured = groupedBy(ledger.captures, ({ charge }) => charge);
  for (const [charge, all] of captured)
    if (all.length > 1) wrong(`${charge} was captured ${all.length} times`);
  for (const { reference, paymentId } of ledger.charges)
    if (payments.get(paymentId ?? '')?.isManual && !captured.has(reference))
      wrong(`${reference} was taken at once, and was to wait for a capture`);
  const made = new Set(ledger.captures.map(({ captureId }) => captureId));
  for (const row of rows.captures)
    if (row.status === 'succeeded' && !made.has(row.id) && !isCapturedOutside(row, ledger))
      wrong(`only here: ${describe(row)}`);
  const live = groupedBy(
    rows.captures.filter(({ status }) => status !== 'failed'),
    ({ paymentId }) => paymentId,
  );
  for (const [id, all] of live)
    if (all.length > 1) wrong(`payment ${id} has ${all.map(describe).join(' and ')}`);
  for (const payment of rows.payments)
    if (payment.released > 0 && !live.has(payment.id)) wrong(`no capture: ${describePayment(payment)}`);
  return found;
};

const describe = ({ id, paymentId, status, amount }: CaptureRow): string =>
  `capture ${id} of payment ${paymentId} (${status}, ${amount})`;
