import { described, named, scalar } from '#adapters/wire/codec.ts';
import {
  currency,
  quantity as decimalQuantity,
  id,
  instant,
  integer,
  listOf,
  nullable,
  oneOf,
  text,
} from '#adapters/wire/codecs.ts';
import { either } from '#adapters/wire/either.ts';
import { externalIdFilter } from '#adapters/wire/metadata.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { orderDetails, orderDetailsPatch, orderFields, orderPrice } from '#adapters/wire/order-details.ts';
import { derived, resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Order, orderStatuses } from '#domain/order.ts';
import { OrderNumber } from '#domain/order-number.ts';
import { Quantity } from '#domain/quantity.ts';
import type { UserId } from '#domain/user.ts';
import { type Expandable, expandBy, type Table } from '../routing/expansions.ts';
import { creationPeriod, paidPeriod } from '../routing/list-query.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const status = described(
  oneOf(orderStatuses),
  '`paid` by a payment, `refunded` by a full refund, `fulfilled` by staff. `canceled` by the owner or by expiry before it is paid, or by staff when it is paid and its money was lost in a dispute.',
  'pending',
);

const userId = described(id('user'), 'The user who owns the order. Only staff can order for other users.');

export const orderView = resourceView<Order>()('Order', {
  userId,
  number: described(
    text({
      minLength: 14,
      maxLength: 14,
      pattern: /^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/,
      violation: () => undefined,
    }),
    'A short order number, easy to read out.',
    '7K3M-9QXA-2DFE',
  ),
  status,
  currency: derived(currency, (order: Order) => order.total.currency),
  ...orderPrice,
  itemCount: described(
    integer({ minimum: 1, maximum: 2 ** 31 - 1, violation: () => undefined }),
    'The number of items in the order.',
    1,
  ),
  paidAt: described(
    nullable(instant),
    'When the order was paid, whatever became of it since. Null before.',
    null,
  ),
  ...orderFields,
});

const numberFilter = described(
  scalar<string, string>(
    'order number',
    { type: 'string', maxLength: OrderNumber.maxLength, pattern: OrderNumber.pattern.source },
    (input) => {
      const value = typeof input === 'string' ? OrderNumber.parse(input) : undefined;
      return value === undefined ? 'must be an order number, such as 7K3M-9QXA-2DFE' : { value };
    },
    String,
  ),
  'The number of an order, in upper or lower case, with or without hyphens and spaces.',
  '7K3M-9QXA-2DFE',
);

const line = {
  productId: described(id('product'), 'The ordered product.'),
  quantity: described(
    decimalQuantity(Quantity.ordered),
    'The ordered quantity, with up to three decimals: a multiple of the `quantity_step` of its product.',
    2,
  ),
};

const options = { userId, ...orderDetails };

const orderOfProduct = named('NewOrderOfProduct', strictObject(line, options));

const { minimum, maximum } = Order.placedItems;

const orderOfItems = named(
  'NewOrderOfItems',
  strictObject(
    {
      items: described(
        listOf(named('NewOrderItem', strictObject(line)), maximum, minimum),
        'The ordered items, all or none of them. A product may be in several.',
      ),
    },
    options,
  ),
);

const ownedBy = (owner: UserId | undefined) => (owner === undefined ? {} : { userId: owner });

export const orderRoutes = <All extends Table & { readonly items: Expandable }>(
  { orders }: UseCases,
  expansions: All,
) => [
  route('GET /orders', orders.list, {
    summary: 'List orders',
    filters: {
      userId,
      status,
      number: numberFilter,
      externalId: externalIdFilter,
      ...creationPeriod,
      ...paidPeriod,
    },
    expansions: expandBy(expansions),
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(orderView),
  }),
  route('POST /orders', orders.place, {
    summary: 'Create an order',
    body: either(orderOfProduct, orderOfItems, 'items', ['product_id', 'quantity']),
    expansions: expandBy(expansions, 'items'),
    input: ({ body }) => {
      if ('items' in body) {
        const { items, userId: owner, ...details } = body;
        return { items, ...ownedBy(owner), details };
      }
      const { productId, quantity, userId: owner, ...details } = body;
      return { productId, quantity, ...ownedBy(owner), details };
    },
    responder: created(orderView),
  }),
  route('GET /orders/{order_id}', orders.get, {
    summary: 'Get an order',
    expansions: expandBy(expansions),
    input: ({ path }) => path.order_id,
    responder: ok(orderView),
  }),
  route('PATCH /orders/{order_id}', orders.change, {
    summary: 'Update, cancel or fulfill an order',
    body: strictObject(
      {},
      {
        status: described(
          oneOf(orderStatuses),
          'The new status: `canceled` while it is pending, `fulfilled` by staff while it is paid. Staff also cancel a paid order whose payment has a dispute that is `lost`, while no other is open and no refund is pending.',
          'canceled',
        ),
        ...orderDetailsPatch,
      },
    ),
    input: ({ path, expectedVersions, body: { status: changed, ...details } }) => ({
      id: path.order_id,
      expectedVersions,
      ...(changed !== undefined && { status: changed }),
      details,
    }),
    responder: ok(orderView),
  }),
  route('GET /users/{user_id}/orders', orders.listOfUser, {
    summary: 'List the orders of a user',
    filters: { status, ...creationPeriod, ...paidPeriod },
    expansions: expandBy(expansions),
    input: ({ path, filter, page }) => ({ userId: path.user_id, filter, page }),
    responder: page(orderView),
  }),
];
