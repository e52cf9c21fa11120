// @ts-nocheck
import { statusChip } from '../components/chips.ts';
import { formatQuantity } from '../format.ts';
import { nothing } from '../lit.ts';

/** Those whose key has no right to payments. */
const withoutPayments = new WeakSet();

/**
 * A page of orders with what their rows show, in one request. Without the right to payments they have none.
 * @param query filters, sort and cursor
 */
export const listOrders = async ({ api, signal }, query) => {
  const expanding = (expand) => api.send('GET /orders', { query: { ...query, expand }, signal });
  if (withoutPayments.has(api)) return expanding('items,user');
  try {
    return await expanding('items,payments,user');
  } catch (error) {
    if (error.code !== 'FORBIDDEN') throw error;
    withoutPayments.add(api);
    return expanding('items,user');
  }
};

/** What went back of an order's money, where its status does not say so. */
export const refundChip = ({ status, expanded: { payments = [] } }) => {
  const sum = (amountOf) => payments.reduce((total, payment) => total + BigInt(amountOf(payment).amount), 0n);
  const refunded = sum((payment) => payment.refunded);
  if (refunded === 0n || status === 'refunded') return nothing;
  const isAll = refunded === sum(({ captured }) => captured);
  return statusChip('refunded', isAll ? 'Refunded' : 'Refunded in part');
};

/** How many pieces an order has, in words. `item_count` counts its lines, of which each may be of several pieces. */
export const piecesOf = (order) => {
  const pieces = pieceCount(order);
  return `${pieces} ${pieces === '1' ? 'piece' : 'pieces'}`;
};

/** The number of pieces. An order of more lines than the page has is shown with a sign that there are more. */
export const pieceCount = ({ expanded: { items, items_has_more: hasMore } }) => {
  // Quantities have up to three decimals, which do not add up exactly otherwise.
  const thousandths = items.reduce((sum, { quantity }) => sum + Math.round(quantity * 1000), 0);
  return `${formatQuantity(thousandths / 1000)}${hasMore ? '+' : ''}`;
};
