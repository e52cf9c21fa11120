import { DomainError } from '#domain/errors.ts';
import { Order, type OrderId, OrderItem, type OrderItemId } from '#domain/order.ts';
import { OrderPrice } from '#domain/order-price.ts';
import type { ProductId } from '#domain/product.ts';
import type { Quantity } from '#domain/quantity.ts';
import { releaseRest, releaseStock, reserveMore, reserveStock } from '../inventory/stock.ts';
import type { PageRequest, ReadRepositories, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type Caller,
  type ExpectedVersions,
  isStaff,
  requireFound,
  requireOwnerOrStaff,
  requireProduct,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ItemOfOrder {
  readonly orderId: OrderId;
  readonly id: OrderItemId;
}

export interface AddItem {
  readonly orderId: OrderId;
  readonly productId: ProductId;
  readonly quantity: Quantity;
}

export interface ChangeItem extends ItemOfOrder {
  readonly expectedVersions: ExpectedVersions;
  readonly quantity?: Quantity;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The items of an order. They can change only while the order is pending. */
export const orderItemUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'orders:read',
    ['not-found', 'forbidden'],
    (caller, { orderId, page }: { readonly orderId: OrderId; readonly page: PageRequest<OrderItemId> }) =>
      async ({ orders, orderItems }) => {
        const order = requireFound(await orders.find(orderId));
        requireOwnerOrStaff(caller, order.userId);
        return orderItems.page({ orderId }, page);
      },
  ),

  get: query(
    'orders:read',
    ['not-found', 'forbidden'],
    (caller, { orderId, id }: ItemOfOrder) =>
      async ({ orders, orderItems }) => {
        const order = requireFound(await orders.find(orderId));
        const item = requireFound(await itemOf(orderItems, orderId, id));
        requireOwnerOrStaff(caller, order.userId);
        return item;
      },
  ),

  /**
   * @throws DomainError 'conflict' when the order is full, 'validation' when the quantity is no multiple of the product's step, the
   *   currencies differ or the total exceeds the maximum amount
   */
  add: command(
    'orders:write',
    [
      'not-found',
      'product-not-found',
      'forbidden',
      'invalid-state',
      'conflict',
      'product-unavailable',
      'out-of-stock',
      'validation',
    ],
    (caller, { orderId, productId, quantity }: AddItem) =>
      async ({ products, orders, orderItems }) => {
        const at = clock.now();
        const order = requireFound(await orders.lock(orderId));
        const found = requireProduct(await products.find(productId));
        requireOwnerOrStaff(caller, order.userId);
        requireItemsWritable(caller, order);
        const product = await reserveStock(products, found, quantity, at);
        const item = OrderItem.of(newId(), orderId, product, quantity, at);
        await orders.save(Order.addItem(order, item, at));
        await orderItems.add(item);
        return item;
      },
  ),

  /** @throws DomainError 'validation' when the quantity changes and is no multiple of the product's step, or the total is too large */
  change: command(
    'orders:write',
    [
      'not-found',
      'forbidden',
      'precondition-failed',
      'invalid-state',
      'product-unavailable',
      'out-of-stock',
      'validation',
    ],
    (caller, { orderId, id, expectedVersions, quantity }: ChangeItem) =>
      async ({ products, orders, orderItems }) => {
        const at = clock.now();
        const { order, item } = await lockForChange(
          caller,
          { orders, orderItems },
          { orderId, id },
          expectedVersions,
        );
        if (quantity === undefined || quantity === item.quantity) return item;
        const isLess = quantity < item.quantity;
        if (isLess) await releaseRest(products, item, quantity, at);
        const counted = isLess ? item.counted : await reserveMore(products, item, quantity, at);
        const after = OrderItem.resize(item, quantity, counted, at);
        await orders.save(Order.replaceItem(order, item, after, at));
        await orderItems.save(after);
        return after;
      },
  ),

  remove: command(
    'orders:write',
    ['not-found', 'forbidden', 'precondition-failed', 'invalid-state'],
    (caller, { orderId, id, expectedVersions }: Omit<ChangeItem, 'quantity'>) =>
      async ({ products, orders, orderItems }) => {
        const at = clock.now();
        const { order, item } = await lockForChange(
          caller,
          { orders, orderItems },
          { orderId, id },
          expectedVersions,
        );
        await orders.save(Order.removeItem(order, item, at));
        await orderItems.remove(id);
        await releaseStock(products, item, at);
      },
  ),
});

const itemOf = async (
  orderItems: ReadRepositories['orderItems'],
  orderId: OrderId,
  id: OrderItemId,
): Promise<OrderItem | undefined> => {
  const item = await orderItems.find(id);
  return item?.orderId === orderId ? item : undefined;
};

/** Locks the order of an item. Every change of an item locks its order first, so the item needs no lock of its own. */
const lockForChange = async (
  caller: Caller,
  { orders, orderItems }: Pick<Repositories, 'orders' | 'orderItems'>,
  { orderId, id }: ItemOfOrder,
  expectedVersions: ExpectedVersions,
): Promise<{ readonly order: Order; readonly item: OrderItem }> => {
  const order = requireFound(await orders.lock(orderId));
  const item = requireFound(await itemOf(orderItems, orderId, id));
  requireOwnerOrStaff(caller, order.userId);
  requireVersion(item, expectedVersions);
  requireItemsWritable(caller, order);
  return { order, item };
};

/** Shipping and discount are for certain items, so only staff change the items of an order that has them. */
const requireItemsWritable = (caller: Caller, order: Order): void => {
  Order.requireOpen(order);
  if (OrderPrice.isSetByStaff(order) && !isStaff(caller)) {
    throw new DomainError(
      'invalid-state',
      'The order has shipping or a discount. Only staff can change its items now.',
    );
  }
};
