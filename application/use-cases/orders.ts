import { DomainError } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import { Order, type OrderId, type OrderStatus } from '#domain/order.ts';
import { OrderDetails } from '#domain/order-details.ts';
import { Payment } from '#domain/payment.ts';
import { updated } from '#domain/resource.ts';
import { User, type UserId } from '#domain/user.ts';
import {
  itemsOf,
  type OrderedLines,
  productIdsOf,
  reserveLines,
  withProducts,
} from '../inventory/order-lines.ts';
import { releaseOrderStock } from '../inventory/stock.ts';
import { pageVisibleTo } from '../pages.ts';
import { requireLost } from '../payments/lost-money.ts';
import type { Collections, PageRequest, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  isStaff,
  requireFound,
  requireOwnerOrStaff,
  requireRole,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ListOrders {
  readonly filter: Collections['orders']['filter'];
  readonly page: PageRequest<OrderId>;
}

export interface ListOrdersOfUser {
  readonly userId: UserId;
  readonly filter: Pick<Collections['orders']['filter'], 'status'>;
  readonly page: PageRequest<OrderId>;
}

export type PlaceOrder = OrderedLines & PlaceOrderOptions;

interface PlaceOrderOptions {
  /** The owner of the order, by default the caller. Only staff can place orders for other users. */
  readonly userId?: UserId;
  readonly details?: OrderDetails;
}

export interface ChangeOrder {
  readonly id: OrderId;
  readonly expectedVersions: ExpectedVersions;
  readonly status?: OrderStatus;
  readonly details?: OrderDetails;
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

  /**
   * All or nothing: the order has all its lines, or there is none. Errors about items name each that is concerned.
   * @throws DomainError 'not-found' when the user does not exist, 'invalid-state' when they are erased, 'validation' when currencies
   *   differ or the total exceeds the maximum amount
   */
  place: command(
    'orders:write',
    [
      'product-not-found',
      'not-found',
      'forbidden',
      'invalid-state',
      'product-unavailable',
      'out-of-stock',
      'validation',
      'conflict',
    ],
    (caller, { userId = caller.userId, details = {}, ...ordered }: PlaceOrder) =>
      async ({ users, products, orders, orderItems }) => {
        const at = clock.now();
        // Concurrent reads, so that a store can send both in one round trip.
        const finding = products.findBy('id', productIdsOf(ordered));
        const [found, user] = await Promise.all([finding, users.find(userId)]);
        withProducts(ordered, found);
        const owner = requireFound(user);
        requireOwnerOrStaff(caller, userId);
        if (OrderDetails.isForStaff(details)) requireRole(caller, 'staff', OrderDetails.forStaff(details));
        User.requireActive(owner);
        const lines = await reserveLines(products, ordered, found, at);
        const id: OrderId = newId();
        const items = itemsOf(ordered, lines, id, newId, at);
        const placed = Order.place(id, userId, items, at);
        const order = OrderDetails.isEmpty(details)
          ? placed
          : { ...placed, ...OrderDetails.merge(placed, details) };
        await orders.add(order);
        await orderItems.addAll(items);
        return order;
      },
  ),

  /**
   * All or nothing: the order gets its details and its status, in one version, or neither. Staff cancel a paid order whose money was
   * lost in a dispute: its stock comes back, and the rest of the money stays refundable.
   * @throws DomainError 'invalid-state' for a change that the status does not allow, with what can be done instead
   */
  change: command(
    'orders:write',
    ['not-found', 'forbidden', 'precondition-failed', 'invalid-state', 'validation', 'conflict'],
    (caller, { id, expectedVersions, status, details = {} }: ChangeOrder) =>
      async ({ products, orders, orderItems, payments, disputes }) => {
        const at = clock.now();
        const order = requireFound(await orders.lock(id));
        requireOwnerOrStaff(caller, order.userId);
        if (OrderDetails.isForStaff(details)) requireRole(caller, 'staff', OrderDetails.forStaff(details));
        if (status === 'fulfilled') requireRole(caller, 'staff');
        requireVersion(order, expectedVersions);
        if (status === undefined && OrderDetails.isEmpty(details)) return order;
        OrderDetails.requireWritable(order, details, isStaff(caller));
        const isLost = status === 'canceled' && order.status === 'paid' && isStaff(caller);
        if (isLost) await requireLost({ disputes, payments }, order);
        const moved = isLost ? Order.writeOff(order, at) : withStatus(order, status, at);
        if (status === 'fulfilled') await requireNotBeingRefunded(payments, id);
        const after = { ...moved, ...OrderDetails.merge(order, details) };
        await orders.save(after);
        if (status === 'canceled') await releaseOrderStock(products, orderItems, id, at);
        return after;
      },
  ),
});

const withStatus = (order: Order, status: OrderStatus | undefined, at: Instant): Order => {
  if (status === undefined) return updated(order, {}, at);
  if (status !== 'canceled' && status !== 'fulfilled') throw notSettable(status);
  return Order.transitionTo(order, status, at);
};

/** @throws DomainError 'invalid-state' when the pending refunds would complete the payment, so that nothing is paid for the goods */
const requireNotBeingRefunded = async (
  payments: Pick<Repositories['payments'], 'findBy'>,
  orderId: OrderId,
): Promise<void> => {
  const found = await payments.findBy('orderId', [orderId]);
  if (found.some(Payment.isBeingRefunded))
    throw new DomainError(
      'invalid-state',
      'The order is being refunded. It is refunded once its refunds have succeeded, and can be fulfilled once they have failed.',
    );
};

/** Only a payment makes an order paid, and only a refund makes it refunded. */
const notSettable = (status: OrderStatus): DomainError => {
  const instead = status === 'pending' ? 'Place a new order' : 'Create a payment or a refund';
  const message = `The status of an order cannot be set to ${status}. ${instead} instead.`;
  return new DomainError('invalid-state', message);
};
