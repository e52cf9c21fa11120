import type { DisputeRow, ItemRow, OrderRow, PaymentRow, RefundRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import {
  byId,
  capturedOf,
  describeOrder,
  describePayment,
  groupedBy,
  isWaiting,
  type StateJudge,
  sumOf,
  wasCharged,
} from './evidence.ts';

/** Sums are what they are made of, and statuses say what the sums say. */
export const judgeMoney: StateJudge = ({ ledger, rows: { orders, items, payments, refunds, disputes } }) => {
  const itemsOf = groupedBy(items, ({ orderId }) => orderId);
  const paymentsOf = groupedBy(payments, ({ orderId }) => orderId);
  const refundsOf = groupedBy(refunds, ({ paymentId }) => paymentId);
  const disputesOf = groupedBy(disputes, ({ paymentId }) => paymentId);
  const ordersById = byId(orders);
  const found: Violation[] = [];
  const wrong = (detail: string) => found.push(violation('money', detail));

  for (const order of orders) {
    const fault =
      findSumMismatch(order, itemsOf.get(order.id) ?? []) ??
      faultInStatus(order, paymentsOf.get(order.id) ?? [], refundsOf, disputesOf);
    if (fault !== undefined) wrong(`${describeOrder(order)} ${fault}`);
  }
  for (const payment of payments) {
    const fault =
      faultInAmount(payment, ordersById.get(payment.orderId)) ??
      faultInRefunds(payment, refundsOf.get(payment.id) ?? []);
    if (fault !== undefined) wrong(`${describePayment(payment)} ${fault}`);
  }
  const moved = ledger.refunds.filter((refund) => refund.status !== 'failed');
  const takenBack = groupedBy(moved, ({ charge }) => charge);
  for (const { reference, amount } of ledger.charges) {
    const back = sumOf(takenBack.get(reference) ?? [], (refund) => refund.amount);
    if (back > amount) wrong(`${reference} of ${amount} was refunded with ${back}`);
  }
  return found;
};

type Mismatch = string | undefined;

const findSumMismatch = ({ total, itemCount }: OrderRow, items: readonly ItemRow[]): Mismatch => {
  // Half away from zero, and nothing that has a price is free; these amounts are far from where a number loses its last digits.
  const costs = ({ unitPrice, quantity }: ItemRow): number =>
    Math.max(Math.floor((unitPrice * quantity + 500) / 1000), unitPrice > 0 ? 1 : 0);
  const odd = items.find((item) => item.total !== costs(item));
  if (odd) return `has item ${odd.id} of ${odd.quantity} times ${odd.unitPrice} for ${odd.total}`;
  if (items.length !== itemCount) return `says ${itemCount} items and has ${items.length}`;
  const sum = sumOf(items, (item) => item.total);
  return sum === total ? undefined : `has items for ${sum}`;
};

const faultInStatus = (
  { status, paying }: OrderRow,
  payments: readonly PaymentRow[],
  refundsOf: ReadonlyMap<string, readonly RefundRow[]>,
  disputesOf: ReadonlyMap<string, readonly DisputeRow[]>,
): Mismatch => {
  const isLocked = payments.some((payment) => isWaiting(payment) || payment.status === 'pending');
  if (paying !== isLocked) return `has ${isLocked ? 'a payment' : 'no payment'} that waits`;
  const through = payments.filter(wasCharged);
  const [payment] = through;
  // A paid order is canceled only after its money was lost, whatever is refunded of the rest.
  const isLost = (disputesOf.get(payment?.id ?? '') ?? []).some((dispute) => dispute.status === 'lost');
  if (status === 'canceled' && through.length === 1 && isLost) return undefined;
  const wasPaid = status === 'paid' || status === 'fulfilled' || status === 'refunded';
  if (through.length !== (wasPaid ? 1 : 0)) return `has ${through.length} payments that went through`;
  // What was fulfilled has left the house, and stays fulfilled whatever is refunded.
  if (payment === undefined || status === 'fulfilled') return undefined;
  if ((payment.status === 'refunded') === (status === 'refunded')) return undefined;
  // The goods are back when a refund fails that had succeeded.
  const mayHaveGone = (refundsOf.get(payment.id) ?? []).filter(
    (refund) => refund.status === 'succeeded' || (refund.status === 'failed' && refund.reference !== null),
  );
  const wasRefunded = sumOf(mayHaveGone, ({ amount }) => amount) >= capturedOf(payment);
  return status === 'refunded' && wasRefunded ? undefined : `has a payment that is ${payment.status}`;
};

const faultInAmount = ({ amount }: PaymentRow, order: OrderRow | undefined): Mismatch => {
  if (order === undefined) return 'has no order';
  return order.total === amount ? undefined : `pays for ${order.total}`;
};

const faultInRefunds = (payment: PaymentRow, refunds: readonly RefundRow[]): Mismatch => {
  const sum = (status: string) =>
    sumOf(
      refunds.filter((refund) => refund.status === status),
      ({ amount }) => amount,
    );
  const { refunded, refunding } = payment;
  const amount = capturedOf(payment);
  if (refunded !== sum('succeeded')) return `says ${refunded} refunded and has ${sum('succeeded')}`;
  if (refunding !== sum('pending')) return `says ${refunding} being refunded and has ${sum('pending')}`;
  if (refunded + refunding > amount) return `has ${refunded + refunding} refunded`;
  if (!wasCharged(payment)) return refunds.length === 0 ? undefined : 'has refunds';
  // What cost nothing is refunded by a refund of nothing.
  const hasRefund = refunds.some(({ status }) => status === 'succeeded');
  const expected = !hasRefund ? 'succeeded' : refunded < amount ? 'partially_refunded' : 'refunded';
  return payment.status === expected ? undefined : `has ${refunded} refunded`;
};
