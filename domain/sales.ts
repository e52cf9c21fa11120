import { Dispute, type DisputeStatus } from './dispute.ts';
import { invalidField } from './errors.ts';
import { Instant } from './instant.ts';
import { Money } from './money.ts';
import type { Order, OrderStatus } from './order.ts';
import { Payment, type PaymentStatus } from './payment.ts';
import type { Refund, RefundStatus } from './refund.ts';
import { integer } from './rule.ts';
import { TimeZone } from './time-zone.ts';

/** A local day, a period of 24 hours, or any other. */
export interface SalesPeriod {
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
}

/** What has one status and currency. */
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
  /** Of their amounts without what was released. */
  readonly payments: readonly StatusSum<PaymentStatus>[];
  readonly disputes: readonly StatusSum<DisputeStatus>[];
}

/** What was created in a period. */
export interface SalesResources {
  readonly orders: readonly Order[];
  readonly refunds: readonly Refund[];
  readonly payments: readonly Payment[];
  readonly disputes: readonly Dispute[];
}

/** What was ordered, captured and given back in one period, in one currency. */
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
  /** What was captured of payments that were created in the period, whatever became of their orders and was given back since. */
  readonly captured: Money;
  /** The sum of the disputes that were created in the period and are open or lost. */
  readonly disputed: Money;
}

const dayMs = 86_400_000;

const paidStatuses: ReadonlySet<OrderStatus> = new Set(['paid', 'fulfilled', 'refunded']);

export const Sales = {
  /** How many periods a report can have. */
  days: integer(1, 31),

  /**
   * Divides time into periods. Each ends where the next local day begins, which may be less or more than 24 hours later.
   * @param from where the first begins
   * @param days how many there are
   * @param timeZone the name of the time zone whose days they are; without it each has 24 hours
   * @throws DomainError 'validation' on `from` when the last would end after the year 9999
   */
  periods: (from: Instant, days: number, timeZone?: string): readonly SalesPeriod[] => {
    const zone = timeZone === undefined ? undefined : TimeZone.of(timeZone);
    const periods: SalesPeriod[] = [];
    for (let begin = from; periods.length < days; ) {
      const end = zone ? TimeZone.nextDay(zone, begin) : Instant.milliseconds(begin) + dayMs;
      if (end > Instant.milliseconds(Instant.latest))
        throw invalidField('from', 'must leave room for all days before the year 10000');
      const until = Instant.at(end);
      periods.push({ from: begin, until });
      begin = until;
    }
    return periods;
  },

  /**
   * Renders the sums of a period: one row for each currency of which something counts, in ascending order of currency.
   * @throws DomainError 'validation' on `from` when an amount exceeds 2^53-1
   */
  of: ({ from, until }: SalesPeriod, sums: SalesSums): readonly Sales[] => {
    const placed = sums.orders.filter(({ status }) => status !== 'canceled');
    const paid = placed.filter(({ status }) => paidStatuses.has(status));
    const refunded = sums.refunds.filter(({ status }) => status === 'succeeded');
    // Only their amounts are shown, and one of 0 would make a row of zeros.
    const captured = sums.payments.filter((sum) => Payment.isPaid(sum) && sum.amount > 0n);
    const disputed = sums.disputes.filter((sum) => Dispute.withdrawsMoney(sum) && sum.amount > 0n);
    const counted = [placed, refunded, captured, disputed].flat();
    const currencies = new Set(counted.map(({ currency }) => currency));
    return [...currencies].sort().map((currency) => ({
      ...{ from, until, currency },
      orderCount: countOf(placed, currency),
      paidOrderCount: countOf(paid, currency),
      paid: amountOf(paid, currency, from),
      refundCount: countOf(refunded, currency),
      refunded: amountOf(refunded, currency, from),
      captured: amountOf(captured, currency, from),
      disputed: amountOf(disputed, currency, from),
    }));
  },

  /** Sums what was created in a period. It is what a store does that cannot sum by itself. */
  sumsOf: ({ orders, refunds, payments, disputes }: SalesResources): SalesSums => ({
    orders: Sales.sum(orders.map(({ status, total }) => ({ status, amount: total }))),
    refunds: Sales.sum(refunds),
    payments: Sales.sum(
      payments.map(({ status, amount, released }) => ({ status, amount: Money.minus(amount, released) })),
    ),
    disputes: Sales.sum(disputes),
  }),

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
