import { described } from '#adapters/wire/codec.ts';
import { currency, id, integer, money, oneOf, quantity, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { derived, resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { type Order, orderStatuses } from '#domain/order.ts';
import { Quantity } from '#domain/quantity.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const status = described(
  oneOf(orderStatuses),
  'A payment makes it paid, a refund refunded; time or its owner cancels it, staff fulfill it.',
  'pending',
);

const userId = described(id('user'), 'Whose it is. Only staff order for others.');

const view = resourceView<Order>()('Order', {
  userId,
  number: described(
    text({
      minLength: 14,
      maxLength: 14,
      pattern: /^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/,
      violation: () => undefined,
    }),
    'Short enough for the telephone.',
    '7K3M-9QXA-2DFE',
  ),
  status,
  currency: derived(currency, (order: Order) => order.total.currency),
  total: described(money, 'The sum of its items.', { amount: 2580, currency: 'EUR' }),
  itemCount: described(
    integer({ minimum: 1, maximum: 2 ** 31 - 1, violation: () => undefined }),
    'How many items it holds.',
    1,
  ),
});

export const orderRoutes = ({ orders }: UseCases) => [
  route('GET /orders', orders.list, {
    summary: 'Lists orders',
    filters: { userId, status },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(view),
  }),
  route('POST /orders', orders.place, {
    summary: 'Places an order',
    body: strictObject(
      {
        productId: described(id('product'), 'What is ordered.'),
        quantity: described(quantity(Quantity.ordered), 'How much of it, to three decimals.', 2),
      },
      { userId },
    ),
    input: ({ body }) => body,
    responder: created(view),
  }),
  route('GET /orders/{order_id}', orders.get, {
    summary: 'Shows an order',
    input: ({ path }) => path.order_id,
    responder: ok(view),
  }),
  route('PATCH /orders/{order_id}', orders.change, {
    summary: 'Cancels or fulfills an order',
    body: strictObject({}, { status: described(oneOf(orderStatuses), 'What becomes of it.', 'canceled') }),
    input: ({ path, expectedVersions, body }) => ({ id: path.order_id, expectedVersions, ...body }),
    responder: ok(view),
  }),
  route('GET /users/{user_id}/orders', orders.listOfUser, {
    summary: 'Lists the orders of a user',
    filters: { status },
    input: ({ path, filter, page }) => ({ userId: path.user_id, filter, page }),
    responder: page(view),
  }),
];
