import type { Address } from './address.ts';
import { DomainError, type FieldError, invalidField } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata } from './metadata.ts';
import { Money } from './money.ts';
import { OrderExpiry } from './order-expiry.ts';
import { OrderNumber } from './order-number.ts';
import { OrderPrice } from './order-price.ts';
import type { Product, ProductId } from './product.ts';
import type { Quantity } from './quantity.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import type { RatedAmount, TaxRate } from './tax.ts';
import { TaxedItems } from './taxed-items.ts';
import type { UserId } from './user.ts';
import { endOfAnyPayment, insteadOfPending, insteadOfTransition } from './ways-out.ts';

export type OrderId = Id<'order'>;
export type OrderItemId = Id<'order-item'>;

export const orderStatuses = ['pending', 'paid', 'fulfilled', 'canceled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An aggregate: an order and its items change as a whole. It holds at least one item, all in one currency. Its total is the sum of theirs and shipping, without the discount. */
export interface Order extends Resource<OrderId>, OrderPrice {
  readonly userId: UserId;
  /** A short number for people, such as `7K3M-9QXA-2DFE`. */
  readonly number: string;
  readonly status: OrderStatus;
  readonly itemCount: number;
  /** Whether a payment is pending. Until it is settled, the order cannot change otherwise. */
  readonly paying: boolean;
  /**
   * When a payment failed or was canceled, which ended the lock: the last time within the order's lifetime, or the first time after it.
   * Null when none has.
   */
  readonly unlockedAt: Instant | null;
  /** When it was paid, whatever became of it since. Null before, and of orders from before there was this field. */
  readonly paidAt: Instant | null;
  /** The number of the order in another system. Unique among all orders. */
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly note: string | null;
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
  /** How many items an order can be placed with. More can be added later, up to `maxItems`. */
  placedItems: { minimum: 1, maximum: 100 },

  /** How many items an order can have. Those that had more before there was a limit keep them. */
  maxItems: 200,

  /**
   * @param items from 1 to 100, in the order of the request
   * @throws DomainError 'validation' on `items` for another number of them, on `items.N.productId` for each that has another
   *   currency than the first, on `items.N.quantity` for the one with which the total exceeds 2^53-1
   */
  place: (id: OrderId, userId: UserId, items: readonly OrderItem[], at: Instant): Order => {
    const total = totalOf(items);
    return {
      ...newResource(id, at),
      userId,
      number: OrderNumber.of(id),
      status: 'pending',
      total,
      itemCount: items.length,
      paying: false,
      unlockedAt: null,
      paidAt: null,
      externalId: null,
      metadata: Metadata.none,
      shippingAddress: null,
      billingAddress: null,
      note: null,
      shipping: Money.zero(total.currency),
      discount: Money.zero(total.currency),
      shippingTaxRate: null,
      taxedItems: items.reduce<readonly RatedAmount[]>(TaxedItems.plus, TaxedItems.none),
    };
  },

  /** @throws DomainError 'invalid-state' unless the order is pending and has no pending payment */
  requireOpen: (order: Order): void => {
    requireNoPayment(order);
    if (order.status !== 'pending') {
      const message = `The order is ${order.status}. This requires a pending order. ${insteadOfPending(order.status)}`;
      throw new DomainError('invalid-state', message);
    }
  },

  /**
   * @throws DomainError 'invalid-state' unless the order is open, 'conflict' when it is full, 'validation' when the currencies
   *   differ, and what `OrderPrice.totalAfter` throws, as for the other changes of items
   */
  addItem: (order: Order, item: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    if (order.itemCount >= Order.maxItems) {
      throw new DomainError(
        'conflict',
        `The order has ${order.itemCount} items, and can have at most ${Order.maxItems}. Place another order for the rest.`,
      );
    }
    if (item.total.currency !== order.total.currency) {
      throw invalidField('productId', `must have its price in ${order.total.currency}, the order's currency`);
    }
    return updated(
      order,
      {
        total: OrderPrice.totalAfter(order, 0, item.total.amount),
        itemCount: order.itemCount + 1,
        taxedItems: TaxedItems.plus(order.taxedItems, item),
      },
      at,
    );
  },

  /** @throws DomainError 'invalid-state' unless the order is open */
  replaceItem: (order: Order, before: OrderItem, after: OrderItem, at: Instant): Order => {
    Order.requireOpen(order);
    return updated(
      order,
      {
        total: OrderPrice.totalAfter(order, before.total.amount, after.total.amount),
        taxedItems: TaxedItems.plus(TaxedItems.minus(order.taxedItems, before), after),
      },
      at,
    );
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
      {
        total: OrderPrice.totalAfter(order, item.total.amount, 0),
        itemCount: order.itemCount - 1,
        taxedItems: TaxedItems.minus(order.taxedItems, item),
      },
      at,
    );
  },

  /**
   * @param lifetimeMs how long an order waits to be paid, in milliseconds; 0 means forever
   * @throws DomainError 'invalid-state' unless the order is open, and after its second try
   */
  beginPayment: (order: Order, at: Instant, lifetimeMs = 0): Order => {
    Order.requireOpen(order);
    if (OrderExpiry.isSecondTryOver(order, lifetimeMs, at))
      throw new DomainError('invalid-state', 'The time to pay the order has ended. Place a new order.');
    return updated(order, { paying: true }, at);
  },

  /**
   * The pending payment failed or was canceled, and the order can be paid again.
   * @param lifetimeMs how long an order waits to be paid, in milliseconds; 0 means forever
   * @throws DomainError 'invalid-state' without a pending payment
   */
  abandonPayment: (order: Order, at: Instant, lifetimeMs = 0): Order => {
    const unlockedAt = OrderExpiry.hasSecondTry(order, lifetimeMs) ? order.unlockedAt : at;
    return updated(requirePayment(order), { paying: false, unlockedAt }, at);
  },

  /** @throws DomainError 'invalid-state' unless a payment is pending */
  completePayment: (order: Order, at: Instant): Order =>
    updated(requirePayment(order), { paying: false, status: 'paid', paidAt: at }, at),

  /** @throws DomainError 'invalid-state' when the transition is not allowed, or a payment is pending */
  transitionTo: (order: Order, status: OrderStatus, at: Instant): Order => {
    requireNoPayment(order);
    if (!transitions[order.status].includes(status)) throw Order.notTransitioned(order, status);
    return updated(order, { status }, at);
  },

  /** The error of a transition that is not allowed, with what can be done instead. */
  notTransitioned: ({ status: from }: Order, to: OrderStatus): DomainError =>
    new DomainError(
      'invalid-state',
      `An order that is ${from} cannot become ${to}. ${insteadOfTransition(from, to)}`,
    ),

  /**
   * Ends a paid order whose money was lost in a dispute. It is the only paid one that is canceled.
   * @throws DomainError 'invalid-state' unless the order is paid
   */
  writeOff: (order: Order, at: Instant): Order => {
    if (order.status !== 'paid') return Order.transitionTo(order, 'canceled', at);
    return updated(order, { status: 'canceled' }, at);
  },
};

export const OrderItem = {
  /**
   * What a line costs: the price of its quantity, rounded half away from zero, and at least 1 minor unit unless the price is 0.
   * Otherwise small quantities would be free.
   * @throws DomainError 'validation' on `quantity` when it exceeds the maximum amount
   */
  totalOf: (unitPrice: Money, quantity: Quantity): Money => {
    const total = Money.times(unitPrice, quantity);
    return total.amount === 0 && unitPrice.amount > 0 ? { ...total, amount: 1 } : total;
  },

  /** @throws DomainError 'validation' when the total exceeds the maximum amount */
  of: (id: OrderItemId, orderId: OrderId, product: Product, quantity: Quantity, at: Instant): OrderItem => ({
    ...newResource(id, at),
    orderId,
    productId: product.id,
    productName: product.name,
    unitPrice: product.price,
    quantity,
    total: OrderItem.totalOf(product.price, quantity),
    counted: product.stock !== null,
    taxRate: product.taxRate,
  }),

  /**
   * @param counted whether the whole new quantity is reserved from a counted stock
   * @throws DomainError 'validation' when the total exceeds the maximum amount
   */
  resize: (item: OrderItem, quantity: Quantity, counted: boolean, at: Instant): OrderItem =>
    updated(item, { quantity, counted, total: OrderItem.totalOf(item.unitPrice, quantity) }, at),
};

const totalOf = (items: readonly OrderItem[]): Money => {
  const { minimum, maximum } = Order.placedItems;
  const [first] = items;
  if (first === undefined || items.length > maximum)
    throw invalidField('items', `must have from ${minimum} to ${maximum} items`);
  const { currency } = first.total;
  const errors = items.flatMap((item, index): readonly FieldError[] =>
    item.total.currency === currency
      ? []
      : [
          {
            field: `items.${index}.productId`,
            message: `must have its price in ${currency}, as the first item has`,
          },
        ],
  );
  if (errors.length > 0) throw new DomainError('validation', 'Some fields are not valid.', errors);
  let amount = 0;
  for (const [index, { total }] of items.entries()) {
    if (total.amount > Number.MAX_SAFE_INTEGER - amount)
      throw invalidField(`items.${index}.quantity`, 'makes the total too large');
    amount += total.amount;
  }
  return { amount, currency };
};

const requirePayment = (order: Order): Order => {
  if (!order.paying) throw new DomainError('invalid-state', 'The order has no pending payment.');
  return order;
};

const requireNoPayment = (order: Order): void => {
  if (order.paying)
    throw new DomainError('invalid-state', `The order has a payment that has not ended. ${endOfAnyPayment}`);
};
