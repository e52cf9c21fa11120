import { type Violation, violation } from '../violations.ts';
import { byId, describePayment, groupedBy, isLive, isWaiting, type StateJudge } from './evidence.ts';

/** A payment waits if and only if the provider does, and an order has at most one that can still take money, or has. */
export const judgeLive: StateJudge = ({ ledger: { open }, rows: { payments } }) => {
  const rows = byId(payments);
  const waited = new Set(
    open.filter(({ status }) => status !== 'unconfirmed').map(({ paymentId }) => paymentId),
  );
  const found: Violation[] = [];

  for (const { reference, paymentId, status, isConfirmable } of open) {
    const row = rows.get(paymentId ?? '');
    // One that its payer has the secret of could still take money.
    const isOver = row !== undefined && !isLive(row) && !isConfirmable;
    const isSame = status === 'unconfirmed' ? isOver : row?.status === status;
    if (isSame) continue;
    const local = row === undefined ? `no payment ${paymentId}` : describePayment(row);
    found.push(violation('waiting', `${reference} is ${status}: ${local}`));
  }
  for (const row of payments.filter(isWaiting))
    if (!waited.has(row.id)) found.push(violation('waiting', `only here: ${describePayment(row)}`));

  for (const [orderId, live] of groupedBy(payments.filter(isLive), (payment) => payment.orderId)) {
    if (live.length === 1) continue;
    found.push(violation('livePayments', `order ${orderId}: ${live.map(describePayment).join(' and ')}`));
  }
  return found;
};
