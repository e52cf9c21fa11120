import type { QueryOf } from '../../client/index.ts';
import { errorOf } from '../errors.ts';
import type { Money, SalesRow } from '../resources.ts';

/* Sums of the rows of `GET /sales`: one for each day and currency that has an order or refund. */

type Query = QueryOf<'GET /sales'>;
type Read = (query: Query) => Promise<{ readonly data: readonly SalesRow[] }>;

/** The rows, and the days that are left out because a sum is too large for the API. */
export interface Sales {
  readonly rows: readonly SalesRow[];
  readonly tooLarge: readonly Date[];
}

interface Sum {
  readonly amount: bigint;
  readonly currency: string;
}

export interface Sums {
  readonly orders: number;
  readonly paidOrders: number;
  readonly paid: Sum;
  readonly refunded: Sum;
  readonly captured: Sum;
  readonly disputed: Sum;
}

/** The reader's midnights of the last days, today's last. */
export const daysOf = (now: Date, count: number): readonly Date[] =>
  Array.from(
    { length: count },
    (_, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index)),
  );

/**
 * Reads the sales of these days. They are as long as by the reader's clocks: 23 or 25 hours where these are changed.
 * @param read sends `GET /sales` with a query
 */
export const readSales = async (read: Read, days: readonly Date[]): Promise<Sales> => {
  const [first = new Date()] = days;
  const query = { from: first.toISOString(), days: days.length };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    return await readWhole(read, { ...query, time_zone: timeZone }, days);
  } catch (error) {
    if (errorOf(error).status !== 422) throw error;
    // The server does not know this zone, so only days in which clocks are changed are wrong.
    return readWhole(read, query, days);
  }
};

/** One day whose sum is too large must not hide the others, so that each is read by itself then. */
const readWhole = async (read: Read, query: Query, days: readonly Date[]): Promise<Sales> => {
  try {
    return { rows: (await read(query)).data, tooLarge: [] };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  const rows: SalesRow[] = [];
  const tooLarge: Date[] = [];
  for (const day of days) {
    try {
      rows.push(...(await read({ ...query, from: day.toISOString(), days: 1 })).data);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      tooLarge.push(day);
    }
  }
  return { rows, tooLarge };
};

const isTooLarge = (error: unknown): boolean => {
  const { status, details = [] } = errorOf(error);
  return status === 422 && details.some(({ field, message }) => field === 'from' && message.includes('2^53'));
};

/** Those with the most orders first. */
export const currenciesOf = (rows: readonly SalesRow[]): readonly string[] => {
  const orders = new Map<string, number>();
  for (const { currency, order_count: count } of rows)
    orders.set(currency, (orders.get(currency) ?? 0) + count);
  return [...orders].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
};

/** The sum of one currency from a day on, its amounts as BigInts. A row belongs to the day in which it begins. */
export const sumOf = (rows: readonly SalesRow[], currency: string, from: Date, until?: Date): Sums => {
  const chosen = rows.filter(
    (row) =>
      row.currency === currency &&
      new Date(row.from) >= halfADayBefore(from) &&
      (until === undefined || new Date(row.from) < halfADayBefore(until)),
  );
  const count = (countOf: (row: SalesRow) => number) =>
    chosen.reduce((total, row) => total + countOf(row), 0);
  // The sum of several days may be above 2^53, where other numbers lose cents.
  const sum = (moneyOf: (row: SalesRow) => Money) => ({
    amount: chosen.reduce((total, row) => total + BigInt(moneyOf(row).amount), 0n),
    currency,
  });
  return {
    orders: count(({ order_count: orders }) => orders),
    paidOrders: count(({ paid_order_count: orders }) => orders),
    paid: sum(({ paid }) => paid),
    refunded: sum(({ refunded }) => refunded),
    captured: sum(({ captured }) => captured),
    disputed: sum(({ disputed }) => disputed),
  };
};

/** Where the browser knows another change of the clocks than the server, a period begins beside the reader's midnight. */
const halfADayBefore = (day: Date): Date => new Date(day.getTime() - 12 * 3_600_000);
