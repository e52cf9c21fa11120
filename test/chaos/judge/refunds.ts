import { type Violation, violation } from '../violations.ts';
import { byId, describeRefund, groupedBy, isAtProvider, type Judge } from './evidence.ts';

/** Every refund of the provider belongs to one of ours, every one of ours that went through to one of the provider's. */
export const judgeRefunds: Judge = ({ ledger, rows }) => {
  const ours = byId(rows.refunds);
  const payments = byId(rows.payments);
  const given = groupedBy(ledger.refunds, ({ refund_id: id }) => id ?? 'nothing');
  const found: Violation[] = [];

  for (const [id, ofRefund] of given) {
    if (ofRefund.length === 1) continue;
    const all = ofRefund.map((refund) => `${refund.id} (${refund.at})`).join(' and ');
    found.push(violation('duplicateRefunds', `refund ${id} has ${all}`));
  }

  for (const { id, refund_id: refundId, payment_intent: charge, amount } of ledger.refunds) {
    const row = ours.get(refundId ?? '');
    const saysSo =
      row !== undefined &&
      isAtProvider(row) &&
      row.status === 'succeeded' &&
      row.reference === id &&
      row.amount === amount &&
      payments.get(row.paymentId)?.reference === charge;
    if (saysSo) continue;
    const local = row === undefined ? `no refund ${refundId}` : describeRefund(row);
    found.push(violation('refundsWithoutRow', `${id} of ${amount} from ${charge}: ${local}`));
  }

  for (const row of rows.refunds) {
    if (row.status !== 'succeeded' || !isAtProvider(row) || given.has(row.id)) continue;
    found.push(violation('rowsWithoutCharge', describeRefund(row)));
  }
  return found;
};
