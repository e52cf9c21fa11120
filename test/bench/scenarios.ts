import type { Kind } from './databases.ts';
import {
  type Asked,
  aDeepPage,
  anEarlyPage,
  anOrder,
  anOrderInTime,
  anyPage,
  oneProduct,
  ordersToPay,
  page,
  replays,
  wire,
} from './requests.ts';

/**
 * Who can be asked: Portico, what is held against it, Portico at its limit, and two that have been asked for nothing else, over
 * all of the products and over a tenth of them.
 */
export type Role = 'portico' | 'yardstick' | 'limited' | 'larger' | 'smaller';

/** There is none for memory, which is for tests. */
type Goal = Readonly<Partial<Record<Kind, number>>>;

/** One kind of request, asked over and over of two in turn. */
export interface Scenario {
  readonly id: string;
  readonly name: string;
  readonly status: number;
  readonly who: Exclude<Role, 'yardstick'>;
  readonly against: Role;
  /** What the other is asked for, where that is something else. */
  readonly other?: Asked;
  /** Whether the yardstick has no more to do than to give the same bytes. */
  readonly isCanned?: true;
  readonly asked: Asked;
  /** At the least so many requests for each one of the other's. */
  readonly goal?: Goal;
  /** How many ask at once, where it is not to be said by whoever measures. */
  readonly connections?: number;
  /** Whether it has nothing to do with the database, and a short run measures it over one only. */
  readonly isAside?: true;
}

const both = (goal: number): Goal => ({ sqlite: goal, postgres: goal });

const toYardstick = { who: 'portico', against: 'yardstick' } as const;

const refusal = { isCanned: true, isAside: true, goal: both(0.7) } as const;

/** With one connection a rate is nothing but a latency: at the most 1.3 times the other's. */
const alone = { ...toYardstick, connections: 1, goal: both(1 / 1.3) } as const;

/** Ten times as many rows cost at the most a tenth more. */
const ofMore = { who: 'larger', against: 'smaller', goal: both(1 / 1.1) } as const;

export const scenarios: readonly Scenario[] = [
  {
    ...toYardstick,
    id: 'get-one',
    name: 'one product',
    status: 200,
    asked: oneProduct,
    goal: { sqlite: 0.7, postgres: 1.5 },
  },
  { ...toYardstick, id: 'list-20', name: 'a list of 20', status: 200, asked: page(20), goal: both(0.9) },
  { ...toYardstick, id: 'list-100', name: 'a list of 100', status: 200, asked: page(100), goal: both(0.9) },
  // Where all ask for the same, Portico on PostgreSQL asks once for all of them.
  {
    ...toYardstick,
    id: 'lists',
    name: 'lists of 20, each another',
    status: 200,
    asked: anyPage,
    goal: both(0.9),
  },
  // Many different ones on either side: that one and the same is cheaper has nothing to do with depth.
  {
    who: 'portico',
    against: 'portico',
    id: 'deep',
    name: 'lists of 20 in the depth, to early ones',
    status: 200,
    asked: aDeepPage,
    other: anEarlyPage,
    goal: both(0.95),
  },
  {
    ...toYardstick,
    id: 'order',
    name: 'an order with a key',
    status: 201,
    asked: anOrder,
    goal: { sqlite: 3, postgres: 1.5 },
  },
  // Most of what an order costs on SQLite is its key, where keys come in no order.
  {
    ...toYardstick,
    id: 'order-in-time',
    name: 'an order, its key made by the time',
    status: 201,
    asked: anOrderInTime,
  },
  { ...toYardstick, id: 'payment', name: 'a payment', status: 201, asked: ordersToPay },
  {
    who: 'portico',
    against: 'portico',
    id: 'replay',
    name: 'a replay, to one product',
    status: 201,
    asked: replays,
    other: oneProduct,
    goal: both(0.6),
  },
  {
    ...toYardstick,
    ...refusal,
    id: '401',
    name: 'no credential',
    status: 401,
    asked: () => [wire('GET', '/v1/products?limit=20', undefined)],
  },
  {
    ...toYardstick,
    ...refusal,
    id: '422',
    name: 'a field at fault',
    status: 422,
    asked: ({ token, catalogue }) => [
      wire('POST', '/v1/orders', token, { product_id: catalogue.ids[0], quantity: -1 }),
    ],
  },
  {
    ...refusal,
    who: 'limited',
    against: 'yardstick',
    id: '429',
    name: 'over the limit',
    status: 429,
    asked: ({ token }) => [wire('GET', '/v1/products?limit=20', token)],
  },
  {
    ...toYardstick,
    id: 'mix',
    name: 'nine reads to an order',
    status: 201,
    asked: async (stand) => {
      const [one, list, order] = [await oneProduct(stand), await page(20)(stand), await anOrder(stand)];
      return one.flatMap((first, place) => {
        const pick = (from: readonly string[]): string => from[place % from.length] ?? first;
        return place % 10 === 0 ? [pick(order)] : [place % 3 === 0 ? pick(list) : first];
      });
    },
  },
  { ...alone, id: 'get-one-alone', name: 'one product, one connection', status: 200, asked: oneProduct },
  { ...alone, id: 'list-20-alone', name: 'a list of 20, one connection', status: 200, asked: page(20) },
  { ...alone, id: 'order-alone', name: 'an order, one connection', status: 201, asked: anOrder },
  { ...ofMore, id: 'more-one', name: 'one product of ten times as many', status: 200, asked: oneProduct },
  { ...ofMore, id: 'more-deep', name: 'a list of 20 in ten times as many', status: 200, asked: aDeepPage },
];
