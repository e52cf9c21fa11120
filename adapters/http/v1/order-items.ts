import { described } from '#adapters/wire/codec.ts';
import { id, money, quantity, text } from '#adapters/wire/codecs.ts';
import { record } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { OrderItem } from '#domain/order.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { created, many, nothing, one } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const howMuch = described(quantity(Quantity.ordered), 'How much of it, to three decimals.', 2);
const productId = described(id('product'), 'What is ordered.');

const view = resourceView<OrderItem>()('OrderItem', {
  orderId: described(id('order'), 'The order that it belongs to.'),
  productId,
  productName: described(
    text(Product.rules.name),
    'As it was when it was ordered.',
    'Ethiopia Yirgacheffe, 250 g',
  ),
  unitPrice: described(money, 'As it was when it was ordered.', { amount: 1290, currency: 'EUR' }),
  quantity: howMuch,
  total: described(money, 'Rounded half away from zero.', { amount: 2580, currency: 'EUR' }),
});

export const orderItemRoutes = ({ orderItems }: UseCases) => [
  route('GET /orders/{order_id}/items', orderItems.list, {
    summary: 'Lists the items of an order',
    filters: {},
    input: ({ path, page }) => ({ orderId: path.order_id, page }),
    answer: many(view),
  }),
  route('POST /orders/{order_id}/items', orderItems.add, {
    summary: 'Adds an item to an order',
    body: record({ productId, quantity: howMuch }),
    input: ({ path, body }) => ({ orderId: path.order_id, ...body }),
    answer: created(view),
  }),
  route('GET /orders/{order_id}/items/{item_id}', orderItems.get, {
    summary: 'Shows an item of an order',
    input: ({ path }) => ({ orderId: path.order_id, id: path.item_id }),
    answer: one(view),
  }),
  route('PATCH /orders/{order_id}/items/{item_id}', orderItems.change, {
    summary: 'Changes the quantity of an item',
    body: record({}, { quantity: howMuch }),
    input: ({ path, seen, body }) => ({ orderId: path.order_id, id: path.item_id, seen, ...body }),
    answer: one(view),
  }),
  route('DELETE /orders/{order_id}/items/{item_id}', orderItems.remove, {
    summary: 'Takes an item off an order',
    input: ({ path, seen }) => ({ orderId: path.order_id, id: path.item_id, seen }),
    answer: nothing,
  }),
];
