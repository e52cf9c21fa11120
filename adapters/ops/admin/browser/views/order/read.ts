import type { FeedEvent } from '../../../client/index.ts';
import { errorOf } from '../../errors.ts';
import type { Dispute, Order, OrderItem, Payment, Refund } from '../../resources.ts';
import type { Context } from '../../view.ts';
import { disputesOf } from './lost-money.ts';

/** An order with all that belongs to it. */
export interface WholeOrder {
  readonly order: Order;
  readonly refunds: readonly Refund[];
  /** The article number of each product that has one. */
  readonly skus: ReadonlyMap<string, string>;
  readonly disputes: readonly Dispute[];
}

export const readOrder = async (context: Context, id: string): Promise<WholeOrder> => {
  const { api, signal } = context;
  const { data: order } = await api.send('GET /orders/{order_id}', {
    path: { order_id: id },
    query: { expand: 'items,payments,user' },
    signal,
  });
  const { items = [], payments = [] } = order.expanded ?? {};
  const [refunds, skus, disputes] = await Promise.all([
    refundsOf(context, payments),
    skusOf(context, items),
    disputesOf(context, order),
  ]);
  return { order, refunds, skus, disputes };
};

const refundsOf = async (
  { api, signal }: Context,
  payments: readonly Payment[],
): Promise<readonly Refund[]> => {
  const pages = await Promise.all(
    payments.map(({ id }) => api.send('GET /refunds', { query: { payment_id: id, limit: 100 }, signal })),
  );
  return pages.flatMap(({ data }) => data);
};

/** Events are deleted after a while, and a key may have no right to them: an order is shown without them. */
export const readEvents = async ({ api, signal }: Context, id: string): Promise<readonly FeedEvent[]> => {
  try {
    return (await api.send('GET /events', { query: { order_id: id, limit: 100 }, signal })).data;
  } catch (error) {
    if (errorOf(error).code === 'FORBIDDEN') return [];
    throw error;
  }
};

/** The article numbers of products as they are now. A product that is deleted, or that a key may not read, has none. */
const skusOf = async (
  { api, signal }: Context,
  items: readonly OrderItem[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = [...new Set(items.map(({ product_id: id }) => id))];
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        return { id, sku: (await api.send('GET /products/{id}', { path: { id }, signal })).data.sku };
      } catch (error) {
        const { code } = errorOf(error);
        if (code === 'NOT_FOUND' || code === 'FORBIDDEN') return { id, sku: null };
        throw error;
      }
    }),
  );
  return new Map(found.flatMap(({ id, sku }) => (sku === null ? [] : [[id, sku]])));
};

/** The paid order that has waited longest to be sent. @returns null where none does */
export const nextToPack = async ({ api, signal }: Context): Promise<Order | null> =>
  (await api.send('GET /orders', { query: { status: 'paid', limit: 1 }, signal })).data[0] ?? null;
