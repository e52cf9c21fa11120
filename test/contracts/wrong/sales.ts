import type { SalesReader } from '#application/ports/sales.ts';
import { Instant } from '#domain/instant.ts';
import type { SalesSums } from '#domain/sales.ts';
import { describeSales } from '../sales.ts';
import { type WrongAdapter, withMethods, wrongRepositories } from './wrapping.ts';

/** A memory store whose sums are others. */
const wrongSales = (wrap: (right: SalesReader) => SalesReader) =>
  wrongRepositories(({ sales: right }) => ({ sales: withMethods(right, wrap(right)) }));

/** A memory store that changes its sums of orders. */
const wrongOrders = (change: (sum: SalesSums['orders'][number]) => Partial<SalesSums['orders'][number]>) =>
  wrongSales((right) => ({
    sum: async (period) => {
      const sums = await right.sum(period);
      return { ...sums, orders: sums.orders.map((sum) => ({ ...sum, ...change(sum) })) };
    },
  }));

const random = 'are of what was created in a period, by status and currency, whatever the period';
const borders = 'include what was created when the period begins, and exclude what was created when it ends';
const exact = 'are exact beyond 64 bits, of thousands that were created at once or one after the other';

/** Adapters that sum too much, too little, or not exactly. */
export const wrongSalesReaders: readonly WrongAdapter[] = [
  [
    'sums of what was created when the period ends',
    () =>
      wrongSales((right) => ({
        sum: ({ from, until }) => right.sum({ from, until: Instant.plus(until, 1) }),
      })),
    describeSales,
    borders,
    random,
  ],
  [
    'sums without what was created when the period begins',
    () =>
      wrongSales((right) => ({
        sum: ({ from, until }) => right.sum({ from: Instant.plus(from, 1), until }),
      })),
    describeSales,
    borders,
    random,
  ],
  ['sums in one currency', () => wrongOrders(() => ({ currency: 'EUR' })), describeSales, random],
  [
    'sums of floats',
    () => wrongOrders(({ amount }) => ({ amount: BigInt(Number(amount)) })),
    describeSales,
    exact,
  ],
  [
    'sums of 64 bits',
    () => wrongOrders(({ amount }) => ({ amount: BigInt.asIntN(64, amount) })),
    describeSales,
    exact,
  ],
  [
    'sums of refunds that are floats',
    () =>
      wrongSales((right) => ({
        sum: async (period) => {
          const { refunds, ...sums } = await right.sum(period);
          return {
            ...sums,
            refunds: refunds.map((sum) => ({ ...sum, amount: BigInt(Number(sum.amount)) })),
          };
        },
      })),
    describeSales,
    exact,
  ],
  ...(['refunds', 'payments', 'disputes'] as const).map(
    (name): WrongAdapter => [
      `sums without ${name}`,
      () =>
        wrongSales((right) => ({ sum: async (period) => ({ ...(await right.sum(period)), [name]: [] }) })),
      describeSales,
      borders,
      random,
    ],
  ),
  [
    'sums that count canceled orders as pending',
    () => wrongOrders(({ status }) => (status === 'canceled' ? { status: 'pending' } : {})),
    describeSales,
    random,
  ],
];
