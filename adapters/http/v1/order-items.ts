import { described } from '#adapters/wire/codec.ts';
import { id, money, nullable, quantity, taxRate, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { OrderItem } from '#domain/order.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const orderedQuantity = described(
  quantity(Quantity.ordered),
  'The ordered quantity, with up to three decimals: a multiple of the `quantity_step` of its product.',
  2,
);
const productId = described(id('product'), 'The ordered product.');

export const orderItemView = resourceView<OrderItem>()('OrderItem', {
  orderId: described(id('order'), 'The order to which the item belongs.'),
  productId,
  productName: described(
    text(Product.rules.name),
    'The name of the product when it was ordered.',
    'Ethiopia Yirgacheffe, 500 g',
  ),
  unitPrice: described(money, 'The price of one unit when it was ordered.', {
    amount: 2390,
    currency: 'EUR',
  }),
  quantity: orderedQuantity,
  taxRate: described(
    nullable(taxRate),
    'The tax that the price includes, in percent, as it was when it was ordered; null when it is not taxed.',
    20,
  ),
  total: described(
    money,
    'Unit price times quantity, rounded half away from zero, and at least 1 minor unit unless the price is 0.',
    { amount: 4780, currency: 'EUR' },
  ),
});

export const orderItemRoutes = ({ orderItems }: UseCases) => [
  route('GET /orders/{order_id}/items', orderItems.list, {
    summary: 'List the items of an order',
    filters: {},
    input: ({ path, page }) => ({ orderId: path.order_id, page }),
    responder: page(orderItemView),
  }),
  route('POST /orders/{order_id}/items', orderItems.add, {
    summary: 'Add an item to an order',
    body: strictObject({ productId, quantity: orderedQuantity }),
    input: ({ path, body }) => ({ orderId: path.order_id, ...body }),
    responder: created(orderItemView),
  }),
  route('GET /orders/{order_id}/items/{item_id}', orderItems.get, {
    summary: 'Get an item of an order',
    input: ({ path }) => ({ orderId: path.order_id, id: path.item_id }),
    responder: ok(orderItemView),
  }),
  route('PATCH /orders/{order_id}/items/{item_id}', orderItems.change, {
    summary: 'Update the quantity of an item',
    body: strictObject({}, { quantity: orderedQuantity }),
    input: ({ path, expectedVersions, body }) => ({
      orderId: path.order_id,
      id: path.item_id,
      expectedVersions,
      ...body,
    }),
    responder: ok(orderItemView),
  }),
  route('DELETE /orders/{order_id}/items/{item_id}', orderItems.remove, {
    summary: 'Remove an item from an order',
    input: ({ path, expectedVersions }) => ({ orderId: path.order_id, id: path.item_id, expectedVersions }),
    responder: noContent,
  }),
];
