import { type Violation, violation } from '../violations.ts';
import { byId, describePayment, groupedBy, isLive, isWaiting, type Judge } from './evidence.ts';

/** What the provider waits for, and how that is called here. An intent with another status takes no money any more. */
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

  for (const { id, payment_id: paymentId, status } of open) {
    const expected = waiting[status];
    const row = rows.get(paymentId ?? '');
    const isSame = expected === undefined ? row !== undefined && !isLive(row) : row?.status === expected;
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
