import type { UseCases } from '#application/portico.ts';
import { type Order, orderStatuses } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { UserId } from '#domain/user.ts';
import { created, many, one } from '../answers.ts';
import { id, oneOf, quantity, record } from '../codecs.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from './common.ts';

const status = oneOf(orderStatuses);

const view = resourceView<Order>((order) => ({
  user_id: order.userId,
  number: order.number,
  status: order.status,
  currency: order.total.currency,
  total: order.total,
  item_count: order.itemCount,
}));

export const orderRoutes = ({ orders }: UseCases): readonly Route[] => [
  route('GET /orders', orders.list, {
    filters: { userId: id<UserId>(), status },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /orders', orders.place, {
    body: record(
      { productId: id<ProductId>(), quantity: quantity(Quantity.ordered) },
      { userId: id<UserId>() },
    ),
    input: ({ body }) => body,
    answer: created(view),
  }),
  route('GET /orders/{order_id}', orders.get, {
    input: ({ path }) => path.order_id,
    answer: one(view),
  }),
  route('PATCH /orders/{order_id}', orders.change, {
    body: record({}, { status }),
    input: ({ path, seen, body }) => ({ id: path.order_id, seen, ...body }),
    answer: one(view),
  }),
  route('GET /users/{user_id}/orders', orders.listOfUser, {
    filters: { status },
    input: ({ path, filter, page }) => ({ userId: path.user_id, filter, page }),
    answer: many(view),
  }),
];
