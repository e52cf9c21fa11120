import { type Violation, violation } from '../violations.ts';
import { byId, describeRefund, groupedBy, isAtProvider, type Judge } from './evidence.ts';

/** How the provider's words are called here. */
const statuses: Readonly<Record<string, string>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
};

/**
 * Every refund of the provider has a row that says the same, those that were made there and those that have failed too. Every one of
 * ours that went through, or was accepted, is one of the provider's.
 */
export const judgeRefunds: Judge = ({ ledger, rows }) => {
  const ours = byId(rows.refunds);
  const fromOutside = groupedBy(
    rows.refunds.filter(({ origin }) => origin === 'provider'),
    ({ reference }) => reference ?? '',
  );
  const payments = byId(rows.payments);
  const found: Violation[] = [];
  const notHere = (told: { id: string; amount: number; payment_intent: string }, local: string) =>
    found.push(
      violation('refundsWithoutRow', `${told.id} of ${told.amount} from ${told.payment_intent}: ${local}`),
    );

  const given = groupedBy(ledger.refunds, ({ refund_id: id }) => id ?? 'nothing');
  for (const [id, ofRefund] of given) {
    if (ofRefund.length === 1 || id === 'nothing') continue;
    const all = ofRefund.map((refund) => `${refund.id} (${refund.at})`).join(' and ');
    found.push(violation('duplicateRefunds', `refund ${id} has ${all}`));
  }

  const told = [
    ...ledger.refunds.map((refund) => ({ ...refund, expected: statuses[refund.status] })),
    ...ledger.failedRefunds.map((refund) => ({ ...refund, expected: 'failed' })),
  ];
  for (const refund of told) {
    const { id, refund_id: refundId, payment_intent: charge, amount, expected } = refund;
    const outside = fromOutside.get(id) ?? [];
    const row = refundId === null ? outside[0] : ours.get(refundId);
    // One that failed before its response arrived has no reference.
    const isNamed = row?.reference === id || (expected === 'failed' && row?.reference === null);
    const isSame =
      row !== undefined &&
      isAtProvider(row) &&
      isNamed &&
      row.status === expected &&
      row.amount === amount &&
      payments.get(row.paymentId)?.reference === charge;
    if (!isSame) notHere(refund, row === undefined ? `no refund ${refundId}` : describeRefund(row));
    if (outside.length > (refundId === null ? 1 : 0))
      notHere(refund, outside.map(describeRefund).join(' and '));
  }

  for (const [reference, named] of groupedBy(rows.refunds, ({ id, reference: own }) => own ?? id))
    if (named.length > 1)
      found.push(
        violation('refundsWithoutRow', `${reference} is that of ${named.map(describeRefund).join(' and ')}`),
      );

  const known = new Set(told.map(({ id }) => id));
  for (const row of rows.refunds) {
    const isUnsettled = row.status === 'pending' && row.reference === null;
    // One that was rejected has no reference.
    const isRejected = row.status === 'failed' && row.reference === null;
    if (isRejected || isUnsettled || !isAtProvider(row) || known.has(row.reference ?? '')) continue;
    found.push(violation('rowsWithoutCharge', describeRefund(row)));
  }
  return found;
};
