import type { Order, OrderItem } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { Review } from '#domain/review.ts';
import type { UseCases } from '../application.ts';
import { expandMany, expandOne } from './expand.ts';

/**
 * The names by which each resource can be expanded. What a name holds is what its own GET shows to the caller, because that
 * query decides on each resource.
 */
export const expansionsOf = ({ orders, orderItems, payments, refunds, products, users }: UseCases) => ({
  orders: {
    items: expandMany({
      ...{ of: 'orders', collection: 'orderItems', field: 'orderId', get: orderItems.get },
      input: ({ orderId, id }: OrderItem) => ({ orderId, id }),
    }),
    payments: expandMany({
      ...{ of: 'orders', collection: 'payments', field: 'orderId', get: payments.get },
      input: ({ id }: Payment) => id,
    }),
    user: expandOne('users', ({ userId }: Order) => userId, users.get),
  },
  payments: {
    order: expandOne('orders', ({ orderId }: Payment) => orderId, orders.get),
    refunds: expandMany({
      ...{ of: 'payments', collection: 'refunds', field: 'paymentId', get: refunds.get },
      input: ({ id }: Refund) => id,
    }),
  },
  refunds: { payment: expandOne('payments', ({ paymentId }: Refund) => paymentId, payments.get) },
  reviews: { product: expandOne('products', ({ productId }: Review) => productId, products.get) },
});
