import type { Address } from './address.ts';
import { DomainError, invalidField } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata } from './metadata.ts';
import { Money } from './money.ts';
import type { Product, ProductId } from './product.ts';
import type { Quantity } from './quantity.ts';
import { Id, newResource, type Resource, updated } from './resource.ts';
import type { RatedAmount, TaxRate } from './tax.ts';
import type { UserId } from './user.ts';

export type OrderId = Id<'order'>;
export type OrderItemId = Id<'order-item'>;

export const orderStatuses = ['pending', 'paid', 'fulfilled', 'canceled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order always holds at least one item, all in one currency; its total is the sum of theirs. */
export interface Order extends Resource<OrderId> {
  readonly userId: UserId;
  /** A short number for people, such as `7K3M-9QXA-2DFE`. */
  readonly number: string;
  readonly status: OrderStatus;
  readonly total: Money;
  readonly itemCount: number;
  /** Whether a payment is pending. Until it is settled, the order cannot change otherwise. */
  readonly paying: boolean;
  /** The number of the order in another system. Unique among all orders. */
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly note: string | null;
  readonly shipping: Money;
  readonly discount: Money;
  /** Null when shipping is not taxed. */
  readonly shippingTaxRate: TaxRate | null;
  /** The items that are taxed, by ascending rate. The rest of the items has no rate. */
  readonly taxedItems: readonly RatedAmount[];
}

/** A line of an order. It copies the product's name and price, so it stays valid when the product changes or is deleted. */
export interface OrderItem extends Resource<OrderItemId> {
  readonly orderId: OrderId;
  readonly productId: ProductId;
  readonly productName: string;
  readonly unitPrice: Money;
  readonly quantity: Quantity;
  readonly total: Money;
  /** Whether the whole quantity is reserved from a counted stock, and is released when the item is removed. */
  readonly counted: boolean;
  /** The product's when it was ordered. */
  readonly taxRate: TaxRate | null;
}

/** The transitions that a client or the application can request. Only a payment makes an order paid. */
const transitions: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['canceled'],
  paid: ['fulfilled', 'refunded'],
  fulfilled: [],
  canceled: [],
  refunded: [],
};

export const Order = {
  place: (id: OrderId, userId: UserId, first: OrderItem, at: Instant): Order => ({
    ...newResource(id, at),
    userId,
    number: orderNumberOf(id),
    status: 'pending',
    total: first.total,
    itemCount: 1,
    paying: false,
    externalId: null,
    metadata: Metadata.none,
    shippingAddress: null,
    billingAddress: null,
    note: null,
    shipping: Money.zero(first.total.currency),
    discount: Money.zero(first.total.currency),
    shippingTaxRate: null,
    taxedItems: [],
  }),

  /** @throws DomainError 'invalid-state' unless the order is pending and has no pending payment */
  requireOpen: (order: Order): void => {
    requireNoPayment(order);
    if (order.status !== 'pending') {
      throw new DomainError('invalid-state', `The order is ${order.status}. This requires a pending order.`);
    }
  },

  /** @throws DomainError 'invalid-state' unless the order is open, 'validation' when the currencies differ */
  addItem: (order: Order, item: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    if (item.total.currency !== order.total.currency) {
      throw invalidField('productId', `must have its price in ${order.total.currency}, the order's currency`);
    }
    return updated(order, { total: Money.plus(order.total, item.total), itemCount: order.itemCount + 1 }, at);
  },

  /** @throws DomainError 'invalid-state' unless the order is open */
  replaceItem: (order: Order, before: OrderItem, after: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    return updated(order, { total: Money.plus(Money.minus(order.total, before.total), after.total) }, at);
  },

  /** @throws DomainError 'invalid-state' unless the order is open, and for its last item */
  removeItem: (order: Order, item: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    if (order.itemCount === 1) {
      throw new DomainError(
        'invalid-state',
        'An order must keep at least one item. Cancel the order instead.',
      );
    }
    return updated(
      order,
      { total: Money.minus(order.total, item.total), itemCount: order.itemCount - 1 },
      at,
    );
  },

  /** @throws DomainError 'invalid-state' unless the order is open */
  beginPayment: (order: Order, at: Instant): Order => {
    Order.requireOpen(order);
    return updated(order, { paying: true }, at);
  },

  /** The pending payment failed, and the order can be paid again. @throws DomainError 'invalid-state' without one */
  abandonPayment: (order: Order, at: Instant): Order => updated(requirePayment(order), { paying: false }, at),

  /** @throws DomainError 'invalid-state' unless a payment is pending */
  completePayment: (order: Order, at: Instant): Order =>
    updated(requirePayment(order), { paying: false, status: 'paid' }, at),

  /** @throws DomainError 'invalid-state' when the transition is not allowed, or a payment is pending */
  transitionTo: (order: Order, status: OrderStatus, at: Instant): Order => {
    requireNoPayment(order);
    if (!transitions[order.status].includes(status)) {
      throw new DomainError('invalid-state', `An order that is ${order.status} cannot become ${status}.`);
    }
    return updated(order, { status }, at);
  },

  /** Whether the order was ever paid, even if it was refunded later. */
  wasPaid: (order: Order): boolean => order.status !== 'pending' && order.status !== 'canceled',
};

export const OrderItem = {
  /** @throws DomainError 'validation' when the total exceeds the maximum amount */
  of: (id: OrderItemId, orderId: OrderId, product: Product, quantity: Quantity, at: Instant): OrderItem => ({
    ...newResource(id, at),
    orderId,
    productId: product.id,
    productName: product.name,
    unitPrice: product.price,
    quantity,
    total: Money.times(product.price, quantity),
    counted: product.stock !== null,
    taxRate: product.taxRate,
  }),

  /**
   * @param counted whether the whole new quantity is reserved from a counted stock
   * @throws DomainError 'validation' when the total exceeds the maximum amount
   */
  resize: (item: OrderItem, quantity: Quantity, counted: boolean, at: Instant): OrderItem =>
    updated(item, { quantity, counted, total: Money.times(item.unitPrice, quantity) }, at),
};

const requirePayment = (order: Order): Order => {
  if (!order.paying) throw new DomainError('invalid-state', 'The order has no pending payment.');
  return order;
};

const requireNoPayment = (order: Order): void => {
  if (order.paying)
    throw new DomainError('invalid-state', 'The order has a pending payment. Wait until it is settled.');
};

/** Crockford's base 32: no letters that look alike. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The last 60 bits of the id, which are random, as twelve characters: `7K3M-9QXA-2DFE`. A number is unlikely to repeat but
 * not guaranteed to be unique; only the id identifies an order.
 */
const orderNumberOf = (id: OrderId): string => {
  const digits = Id.toHex(id).slice(-15);
  return `${group(digits.slice(0, 5))}-${group(digits.slice(5, 10))}-${group(digits.slice(10))}`;
};

/** Encodes five hexadecimal digits (20 bits) as four characters. */
const group = (digits: string): string => {
  const bits = Number.parseInt(digits, 16);
  return character(bits >> 15) + character(bits >> 10) + character(bits >> 5) + character(bits);
};

/** Encodes the lowest five bits as one character. */
const character = (bits: number): string => alphabet.charAt(bits & 31);
