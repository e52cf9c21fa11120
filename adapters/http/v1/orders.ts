import type { UseCases } from '#application/portico.ts';
import { Money } from '#domain/money.ts';
import { type Order, orderStatuses } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { UserId } from '#domain/user.ts';
import { created, many, one } from '../answers.ts';
import { id, integer, money, oneOf, quantity, text } from '../codecs.ts';
import { record } from '../record.ts';
import { type Route, route } from '../route.ts';
import { derived, resourceView } from '../view.ts';

const status = oneOf(orderStatuses);

const view = resourceView<Order>()('Order', {
  userId: id<UserId>(),
  number: text({ least: 14, most: 14, form: /^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/, fault: () => undefined }),
  status,
  currency: derived(text(Money.currency), (order: Order) => order.total.currency),
  total: money,
  itemCount: integer({ least: 1, most: 2 ** 31 - 1, fault: () => undefined }),
});

export const orderRoutes = ({ orders }: UseCases): readonly Route[] => [
  route('GET /orders', orders.list, {
    summary: 'Lists orders',
    filters: { userId: id<UserId>(), status },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /orders', orders.place, {
    summary: 'Places an order',
    body: record(
      { productId: id<ProductId>(), quantity: quantity(Quantity.ordered) },
      { userId: id<UserId>() },
    ),
    input: ({ body }) => body,
    answer: created(view),
  }),
  route('GET /orders/{order_id}', orders.get, {
    summary: 'Shows an order',
    input: ({ path }) => path.order_id,
    answer: one(view),
  }),
  route('PATCH /orders/{order_id}', orders.change, {
    summary: 'Cancels or fulfills an order',
    body: record({}, { status }),
    input: ({ path, seen, body }) => ({ id: path.order_id, seen, ...body }),
    answer: one(view),
  }),
  route('GET /users/{user_id}/orders', orders.listOfUser, {
    summary: 'Lists the orders of a user',
    filters: { status },
    input: ({ path, filter, page }) => ({ userId: path.user_id, filter, page }),
    answer: many(view),
  }),
];
