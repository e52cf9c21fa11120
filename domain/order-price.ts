import { DomainError, invalidField } from './errors.ts';
import type { Money } from './money.ts';

/** What an order costs. All amounts are in one currency, and `total` is what is to be paid. */
export interface OrderPrice {
  /** What the items cost, and `shipping`, without `discount`. From 0 to 2^53-1. */
  readonly total: Money;
  readonly shipping: Money;
  readonly discount: Money;
}

/*
 * Plain numbers are exact here: of each sum, both operands and every result that is kept are within 2^53-1, and a number
 * beyond it is rounded to one beyond it.
 */
const largest = Number.MAX_SAFE_INTEGER;

const itemsTotalOf = ({ total, shipping, discount }: OrderPrice): number =>
  total.amount - shipping.amount + discount.amount;

export const OrderPrice = {
  /** What the items cost. It is not stored. */
  itemsTotal: (price: OrderPrice): Money => ({ amount: itemsTotalOf(price), currency: price.total.currency }),

  /** Whether staff have set shipping or a discount. */
  isSetByStaff: ({ shipping, discount }: OrderPrice): boolean =>
    shipping.amount !== 0 || discount.amount !== 0,

  /**
   * The total with another shipping or discount, for the same items.
   * @throws DomainError 'validation' on `discount` when it is below 0, on `shipping` when it exceeds 2^53-1
   */
  totalWith: (
    price: OrderPrice,
    { shipping, discount }: Pick<OrderPrice, 'shipping' | 'discount'>,
  ): Money => {
    const total = itemsTotalOf(price) - discount.amount + shipping.amount;
    if (total < 0) throw invalidField('discount', 'must be at most the items and shipping together');
    if (total > largest) throw invalidField('shipping', 'makes the total too large');
    return { amount: total, currency: price.total.currency };
  },

  /**
   * The total after an item has changed what it costs.
   * @param before what the item cost, 0 for a new one
   * @param after what it costs now, 0 for one that is removed
   * @throws DomainError 'validation' on `quantity` when the items or the total exceed 2^53-1, 'invalid-state' when the
   *   discount is more than the price without it
   */
  totalAfter: (price: OrderPrice, before: number, after: number): Money => {
    const change = after - before;
    const total = price.total.amount + change;
    if (total > largest || itemsTotalOf(price) + change > largest)
      throw invalidField('quantity', 'makes the total too large');
    if (total < 0) {
      throw new DomainError(
        'invalid-state',
        'The discount is more than the order would cost. Reduce the discount first.',
      );
    }
    return { amount: total, currency: price.total.currency };
  },
};
