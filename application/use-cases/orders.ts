import { DomainError } from '#domain/errors.ts';
import { Order, type OrderId, OrderItem, type OrderStatus } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { UserId } from '#domain/user.ts';
import { pageVisibleTo } from '../pages.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  isStaff,
  requireFound,
  requireOwnerOrStaff,
  requireProduct,
  requireRole,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';
import { releaseOrderStock, reserveStock } from './stock.ts';

export interface ListOrders {
  readonly filter: Collections['orders']['filter'];
  readonly page: PageRequest<OrderId>;
}

export interface ListOrdersOfUser {
  readonly userId: UserId;
  readonly filter: Pick<Collections['orders']['filter'], 'status'>;
  readonly page: PageRequest<OrderId>;
}

export interface PlaceOrder {
  readonly productId: ProductId;
  readonly quantity: Quantity;
  /** The owner of the order, by default the caller. Only staff can place orders for other users. */
  readonly userId?: UserId;
}

export interface ChangeOrder {
  readonly id: OrderId;
  readonly expectedVersions: ExpectedVersions;
  readonly status?: OrderStatus;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Orders. Customers see their own, staff see all. */
export const orderUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'orders:read',
    [],
    (caller, { filter, page }: ListOrders) =>
      ({ orders }) =>
        pageVisibleTo(orders, caller, { filter, page, seesAll: isStaff(caller) }),
  ),

  /** @throws DomainError 'not-found' when the user does not exist */
  listOfUser: query(
    'orders:read',
    ['not-found', 'forbidden'],
    (caller, { userId, filter, page }: ListOrdersOfUser) =>
      async ({ users, orders }) => {
        requireFound(await users.find(userId));
        requireOwnerOrStaff(caller, userId);
        return orders.page({ ...filter, userId }, page);
      },
  ),

  get: query('orders:read', ['not-found', 'forbidden'], (caller, id: OrderId) => async ({ orders }) => {
    const order = requireFound(await orders.find(id));
    requireOwnerOrStaff(caller, order.userId);
    return order;
  }),

  /** @throws DomainError 'not-found' when the user does not exist, 'validation' when the total exceeds the maximum amount */
  place: command(
    'orders:write',
    ['product-not-found', 'not-found', 'forbidden', 'product-unavailable', 'out-of-stock', 'validation'],
    (caller, { productId, quantity, userId = caller.userId }: PlaceOrder) =>
      async ({ users, products, orders, orderItems }) => {
        const at = clock.now();
        // Concurrent reads, so that a store can send both in one round trip.
        const [product, user] = await Promise.all([products.find(productId), users.find(userId)]);
        const found = requireProduct(product);
        requireFound(user);
        requireOwnerOrStaff(caller, userId);
        const ordered = await reserveStock(products, found, quantity, at);
        const id: OrderId = newId();
        const item = OrderItem.of(newId(), id, ordered, quantity, at);
        const order = Order.place(id, userId, [item], at);
        await orders.add(order);
        await orderItems.add(item);
        return order;
      },
  ),

  change: command(
    'orders:write',
    ['not-found', 'forbidden', 'precondition-failed', 'invalid-state'],
    (caller, { id, expectedVersions, status }: ChangeOrder) =>
      async ({ products, orders, orderItems }) => {
        const order = requireFound(await orders.lock(id));
        requireOwnerOrStaff(caller, order.userId);
        if (status === 'fulfilled') requireRole(caller, 'staff');
        requireVersion(order, expectedVersions);
        if (status === undefined) return order;
        if (status !== 'canceled' && status !== 'fulfilled') throw notSettable(status);
        const after = Order.transitionTo(order, status, clock.now());
        await orders.save(after);
        if (status === 'canceled') await releaseOrderStock(products, orderItems, id, clock.now());
        return after;
      },
  ),
});

/** Only a payment makes an order paid, and only a refund makes it refunded. */
const notSettable = (status: OrderStatus): DomainError =>
  new DomainError(
    'invalid-state',
    `The status of an order cannot be set to ${status}. Create a payment or a refund instead.`,
  );
