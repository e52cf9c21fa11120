import { invalidField } from './errors.ts';
import { Instant } from './instant.ts';
import type { Money } from './money.ts';
import type { OrderStatus } from './order.ts';
import type { RefundStatus } from './refund.ts';
import { integer } from './rule.ts';

/** A period of 24 hours, or any other. */
export interface SalesPeriod {
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
}

/** The orders or refunds with one status and currency. */
export interface StatusSum<Status extends string> {
  readonly status: Status;
  readonly currency: string;
  /** At least 1. */
  readonly count: number;
  /** The exact sum of their amounts in the minor unit of the currency, which can exceed 2^53-1. */
  readonly amount: bigint;
}

/** What was created in a period. Several sums can have the same status and currency. */
export interface SalesSums {
  /** Of the totals of orders. */
  readonly orders: readonly StatusSum<OrderStatus>[];
  readonly refunds: readonly StatusSum<RefundStatus>[];
}

/** What was ordered, paid and refunded in one period, in one currency. */
export interface Sales extends SalesPeriod {
  readonly currency: string;
  /** Orders that were created in the period, without canceled ones. */
  readonly orderCount: number;
  /** Those of them that are paid, fulfilled or refunded. */
  readonly paidOrderCount: number;
  /** The sum of the totals of those. What was refunded since is not subtracted. */
  readonly paid: Money;
  /** Refunds that were created in the period and have succeeded, of orders of any time. */
  readonly refundCount: number;
  readonly refunded: Money;
}

const dayMs = 86_400_000;

const paidStatuses: ReadonlySet<OrderStatus> = new Set(['paid', 'fulfilled', 'refunded']);

export const Sales = {
  /** How many periods a report can have. */
  days: integer(1, 31),

  /**
   * Divides time into periods of 24 hours.
   * @param from where the first begins
   * @param days how many there are
   * @throws DomainError 'validation' on `from` when the last would end after the year 9999
   */
  periods: (from: Instant, days: number): readonly SalesPeriod[] => {
    if (Instant.milliseconds(from) + days * dayMs > Instant.milliseconds(Instant.latest))
      throw invalidField('from', 'must leave room for all days before the year 10000');
    return Array.from({ length: days }, (_, day) => ({
      from: Instant.plus(from, day * dayMs),
      until: Instant.plus(from, (day + 1) * dayMs),
    }));
  },

  /**
   * Renders the sums of a period: one row for each currency that has an order which is not canceled, or a refund that has
   * succeeded, in ascending order of currency.
   * @throws DomainError 'validation' on `from` when an amount exceeds 2^53-1
   */
  of: ({ from, until }: SalesPeriod, { orders, refunds }: SalesSums): readonly Sales[] => {
    const placed = orders.filter(({ status }) => status !== 'canceled');
    const paid = placed.filter(({ status }) => paidStatuses.has(status));
    const refunded = refunds.filter(({ status }) => status === 'succeeded');
    const currencies = new Set([...placed, ...refunded].map(({ currency }) => currency));
    return [...currencies].sort().map((currency) => ({
      ...{ from, until, currency },
      orderCount: countOf(placed, currency),
      paidOrderCount: countOf(paid, currency),
      paid: amountOf(paid, currency, from),
      refundCount: countOf(refunded, currency),
      refunded: amountOf(refunded, currency, from),
    }));
  },

  /** Sums amounts of one period, exactly. */
  sum: <Status extends string>(
    each: Iterable<{ readonly status: Status; readonly amount: Money }>,
  ): readonly StatusSum<Status>[] => {
    const sums = new Map<string, StatusSum<Status>>();
    for (const { status, amount } of each) {
      const key = `${status} ${amount.currency}`;
      const { count, amount: before } = sums.get(key) ?? { count: 0, amount: 0n };
      sums.set(key, {
        ...{ status, currency: amount.currency },
        ...{ count: count + 1, amount: before + BigInt(amount.amount) },
      });
    }
    return [...sums.values()];
  },
};

type Sums = readonly StatusSum<string>[];

const countOf = (sums: Sums, currency: string): number =>
  sums.reduce((total, sum) => (sum.currency === currency ? total + sum.count : total), 0);

const amountOf = (sums: Sums, currency: string, from: Instant): Money => {
  const total = sums.reduce((sum, one) => (one.currency === currency ? sum + one.amount : sum), 0n);
  if (total > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidField('from', `reaches the period from ${from}, whose sum in ${currency} exceeds 2^53-1`);
  return { amount: Number(total), currency };
};
