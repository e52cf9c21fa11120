import { type Violation, violation } from '../violations.ts';
import { byId, describePayment, groupedBy, isLive, isWaiting, type Judge } from './evidence.ts';

/** What the provider waits for, and how that is called here. An intent with another status waits for a payer to confirm it. */
const waiting: Readonly<Record<string, string>> = {
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'authorized',
};

/** A payment waits if and only if the provider does, and an order has at most one that can still take money, or has. */
export const judgeLive: Judge = ({ ledger: { open }, rows: { payments } }) => {
  const rows = byId(payments);
  const waited = new Map(open.map((intent) => [intent.payment_id, waiting[intent.status]]));
  const found: Violation[] = [];

  for (const { id, payment_id: paymentId, status, payer_present: isConfirmable } of open) {
    const expected = waiting[status];
    const row = rows.get(paymentId ?? '');
    // One that its payer has the secret of could still take money.
    const isOver = row !== undefined && !isLive(row) && !isConfirmable;
    const isSame = expected === undefined ? isOver : row?.status === expected;
    if (isSame) continue;
    const local = row === undefined ? `no payment ${paymentId}` : describePayment(row);
    found.push(violation('waiting', `${id} is ${status}: ${local}`));
  }
  for (const row of payments.filter(isWaiting))
    if (waited.get(row.id) === undefined)
      found.push(violation('waiting', `only here: ${describePayment(row)}`));

  for (const [orderId, live] of groupedBy(payments.filter(isLive), (payment) => payment.orderId)) {
    if (live.length === 1) continue;
    found.push(violation('livePayments', `order ${orderId}: ${live.map(describePayment).join(' and ')}`));
  }
  return found;
};
