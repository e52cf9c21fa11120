import { DomainError, invalid } from './errors.ts';
import { Id } from './id.ts';
import type { Instant } from './instant.ts';
import { Money } from './money.ts';
import type { Product, ProductId } from './product.ts';
import type { Quantity } from './quantity.ts';
import { born, changed, type Resource } from './resource.ts';
import type { UserId } from './user.ts';

export type OrderId = Id<'order'>;
export type OrderItemId = Id<'order-item'>;

export const orderStatuses = ['pending', 'paid', 'fulfilled', 'canceled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order always holds at least one item, all in one currency; its total is the sum of theirs. */
export interface Order extends Resource<OrderId> {
  readonly userId: UserId;
  /** Short enough to be read out on the telephone. */
  readonly number: string;
  readonly status: OrderStatus;
  readonly total: Money;
  readonly itemCount: number;
  /** While a payment is under way, nothing else about the order can change. */
  readonly paying: boolean;
}

/** A line of an order. It keeps the product's name and price as they were, so it outlives the product. */
export interface OrderItem extends Resource<OrderItemId> {
  readonly orderId: OrderId;
  readonly productId: ProductId;
  readonly productName: string;
  readonly unitPrice: Money;
  readonly quantity: Quantity;
  readonly total: Money;
  /** Whether all of the quantity was taken from a counted stock, and is given back when the line goes. */
  readonly counted: boolean;
}

/** Each status and what it can become by being told to; it becomes paid by a payment. Anything else is refused. */
const transitions: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['canceled'],
  paid: ['fulfilled', 'refunded'],
  fulfilled: [],
  canceled: [],
  refunded: [],
};

export const Order = {
  place: (id: OrderId, userId: UserId, first: OrderItem, at: Instant): Order => ({
    ...born(id, at),
    userId,
    number: numberOf(id),
    status: 'pending',
    total: first.total,
    itemCount: 1,
    paying: false,
  }),

  /** @throws DomainError 'invalid-state' unless pending with no payment under way */
  requireOpen: (order: Order): void => {
    requireNoPayment(order);
    if (order.status !== 'pending') {
      throw new DomainError('invalid-state', `The order is ${order.status}; this needs one that is pending.`);
    }
  },

  /** @throws DomainError 'invalid-state' unless pending, 'validation' when the currencies differ */
  add: (order: Order, item: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    if (item.total.currency !== order.total.currency) {
      throw invalid('productId', `must have its price in ${order.total.currency}, the order's currency`);
    }
    return changed(order, { total: Money.plus(order.total, item.total), itemCount: order.itemCount + 1 }, at);
  },

  /** @throws DomainError 'invalid-state' unless pending */
  replace: (order: Order, before: OrderItem, after: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    return changed(order, { total: Money.plus(Money.minus(order.total, before.total), after.total) }, at);
  },

  /** @throws DomainError 'invalid-state' unless pending, or when the item is the last */
  remove: (order: Order, item: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    if (order.itemCount === 1) {
      throw new DomainError('invalid-state', 'An order keeps at least one item; cancel the order instead.');
    }
    return changed(
      order,
      { total: Money.minus(order.total, item.total), itemCount: order.itemCount - 1 },
      at,
    );
  },

  /** @throws DomainError 'invalid-state' unless pending */
  beginPayment: (order: Order, at: Instant): Order => {
    Order.requireOpen(order);
    return changed(order, { paying: true }, at);
  },

  /** The payment under way came to nothing, and the order can be paid again. @throws DomainError 'invalid-state' */
  abandonPayment: (order: Order, at: Instant): Order => changed(requirePayment(order), { paying: false }, at),

  /** @throws DomainError 'invalid-state' unless a payment is under way */
  completePayment: (order: Order, at: Instant): Order =>
    changed(requirePayment(order), { paying: false, status: 'paid' }, at),

  /** @throws DomainError 'invalid-state' when the order cannot become that, or a payment is under way */
  become: (order: Order, status: OrderStatus, at: Instant): Order => {
    requireNoPayment(order);
    if (!transitions[order.status].includes(status)) {
      throw new DomainError('invalid-state', `An order that is ${order.status} cannot become ${status}.`);
    }
    return changed(order, { status }, at);
  },

  /** Whether it has been paid for, whatever became of it later. */
  wasPaid: (order: Order): boolean => order.status !== 'pending' && order.status !== 'canceled',
};

export const OrderItem = {
  /** @throws DomainError 'validation' when the total is more than money can be */
  of: (id: OrderItemId, orderId: OrderId, product: Product, quantity: Quantity, at: Instant): OrderItem => ({
    ...born(id, at),
    orderId,
    productId: product.id,
    productName: product.name,
    unitPrice: product.price,
    quantity,
    total: Money.times(product.price, quantity),
    counted: product.stock !== null,
  }),

  /**
   * @param counted whether the whole of the new quantity was taken from a counted stock
   * @throws DomainError 'validation' when the total is more than money can be
   */
  resize: (item: OrderItem, quantity: Quantity, counted: boolean, at: Instant): OrderItem =>
    changed(item, { quantity, counted, total: Money.times(item.unitPrice, quantity) }, at),
};

const requirePayment = (order: Order): Order => {
  if (!order.paying) throw new DomainError('invalid-state', 'No payment of the order is under way.');
  return order;
};

const requireNoPayment = (order: Order): void => {
  if (order.paying) throw new DomainError('invalid-state', 'A payment of the order is under way.');
};

/** Digits and letters that cannot be mistaken for one another (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The last 60 bits of the id, as twelve characters: `7K3M-9QXA-2DFE`. Those bits are random: the chance that one given
 * order shares its number with any of ten billion others is 1 in 100 million. The id stays what identifies it.
 */
const numberOf = (id: OrderId): string => {
  const digits = Id.toHex(id).slice(-15);
  return `${group(digits.slice(0, 5))}-${group(digits.slice(5, 10))}-${group(digits.slice(10))}`;
};

/** Twenty bits, in hexadecimal digits, as four characters. */
const group = (digits: string): string => {
  const bits = Number.parseInt(digits, 16);
  return character(bits >> 15) + character(bits >> 10) + character(bits >> 5) + character(bits);
};

/** The last five bits as one character. */
const character = (bits: number): string => alphabet.charAt(bits & 31);
