import type { Page, QueryOf } from '../../client/index.ts';
import type { Api } from '../api.ts';
import { statusChip } from '../components/chips.ts';
import { errorOf } from '../errors.ts';
import { formatQuantity } from '../format.ts';
import { nothing } from '../lit.ts';
import type { Money, Order, Payment } from '../resources.ts';
import type { Content, Context } from '../view.ts';

/** Those whose key has no right to payments. */
const withoutPayments = new WeakSet<Api>();

/**
 * A page of orders with what their rows show, in one request. Without the right to payments they have none.
 * @param query filters, sort and cursor
 */
export const listOrders = async (
  { api, signal }: Pick<Context, 'api' | 'signal'>,
  query: QueryOf<'GET /orders'>,
): Promise<Page<'GET /orders'>> => {
  const expanding = (expand: 'items,user' | 'items,payments,user') =>
    api.send('GET /orders', { query: { ...query, expand }, signal });
  if (withoutPayments.has(api)) return expanding('items,user');
  try {
    return await expanding('items,payments,user');
  } catch (error) {
    if (errorOf(error).code !== 'FORBIDDEN') throw error;
    withoutPayments.add(api);
    return expanding('items,user');
  }
};

/** What went back of an order's money, where its status does not show it. */
export const refundChip = ({ status, expanded: { payments = [] } = {} }: Order): Content => {
  const sum = (amountOf: (payment: Payment) => Money) =>
    payments.reduce((total, payment) => total + BigInt(amountOf(payment).amount), 0n);
  const refunded = sum((payment) => payment.refunded);
  if (refunded === 0n || status === 'refunded') return nothing;
  const isAll = refunded === sum(({ captured }) => captured);
  return statusChip('refunded', isAll ? 'Refunded' : 'Refunded in part');
};

/** How many pieces an order has, in words. `item_count` counts its lines, of which each may be of several pieces. */
export const piecesOf = (order: Order): string => {
  const pieces = pieceCount(order);
  return `${pieces} ${pieces === '1' ? 'piece' : 'pieces'}`;
};

/** The number of pieces. An order of more lines than the page has is shown with a sign that there are more. */
export const pieceCount = ({ expanded: { items = [], items_has_more: hasMore } = {} }: Order): string => {
  // Quantities have up to three decimals, which do not add up exactly otherwise.
  const thousandths = items.reduce((sum, { quantity }) => sum + Math.round(quantity * 1000), 0);
  return `${formatQuantity(thousandths / 1000)}${hasMore ? '+' : ''}`;
};
