import {
  anyPages,
  deepPages,
  earlyPages,
  firstPage,
  newOrders,
  newOrdersWithOrderedKeys,
  ordersOfFive,
  ordersOfOneCounted,
  ordersToPay,
  type RequestsFor,
  replays,
  singleProducts,
  wire,
} from './requests.ts';
import type { Kind } from './servers/databases.ts';

/**
 * The servers of a run: Portico, the yardstick, Portico with an exhausted rate limit, and two fresh Portico processes over all
 * products (`larger`) and over a tenth of them (`smaller`).
 */
export type Role = 'portico' | 'yardstick' | 'limited' | 'larger' | 'smaller';

/** The least ratio for each database. The memory store has none: it is for tests. */
type Floor = Readonly<Partial<Record<Kind, number>>>;

/** One kind of request, sent repeatedly to a subject and a baseline in turn. */
export interface Scenario {
  readonly id: string;
  readonly name: string;
  /** Expected of both servers. */
  readonly status: number;
  readonly subject: Exclude<Role, 'yardstick'>;
  readonly baseline: Role;
  readonly requests: RequestsFor;
  /** Requests that half of the connections send meanwhile; only the others are measured. */
  readonly beside?: RequestsFor;
  /** Requests for the baseline, where they differ. */
  readonly baselineRequests?: RequestsFor;
  /** The yardstick returns the same bytes from memory. */
  readonly isCanned?: true;
  /** Fewest requests of the subject for each one of the baseline. */
  readonly floor?: Floor;
  /** Each request works once only. */
  readonly isOnce?: true;
  /** Overrides the number of connections of the run. */
  readonly connections?: number;
  /** How many requests a round of the guard sends: about half a second of processor time. */
  readonly guardRequests?: number;
}

const both = (ratio: number): Floor => ({ sqlite: ratio, postgres: ratio });

const toYardstick = { subject: 'portico', baseline: 'yardstick' } as const;

const rejection = { isCanned: true, floor: both(0.55) } as const;

/** With one connection the ratio is one of latencies. */
const oneConnection = { ...toYardstick, connections: 1, floor: both(0.65) } as const;

const tenTimesAsMany = { subject: 'larger', baseline: 'smaller', floor: both(0.8) } as const;

export const scenarios: readonly Scenario[] = [
  {
    ...toYardstick,
    id: 'get-one',
    name: 'one product',
    status: 200,
    requests: singleProducts,
    guardRequests: 8_000,
    floor: { sqlite: 0.6, postgres: 1.2 },
  },
  {
    ...toYardstick,
    id: 'list-20',
    name: 'a list of 20',
    status: 200,
    requests: firstPage(20),
    guardRequests: 4_000,
    floor: both(0.8),
  },
  {
    ...toYardstick,
    id: 'list-100',
    name: 'a list of 100',
    status: 200,
    requests: firstPage(100),
    floor: both(0.8),
  },
  // On PostgreSQL equal lists are coalesced, so different ones are measured too.
  {
    ...toYardstick,
    id: 'lists',
    name: 'different lists of 20',
    status: 200,
    requests: anyPages,
    floor: both(0.8),
  },
  // Both sides use many different pages, because a repeated page is cheaper at any depth.
  {
    subject: 'portico',
    baseline: 'portico',
    id: 'deep',
    name: 'deep lists of 20, against early ones',
    status: 200,
    requests: deepPages,
    baselineRequests: earlyPages,
    floor: both(0.8),
  },
  {
    ...toYardstick,
    id: 'order',
    name: 'an order with a key',
    status: 201,
    requests: newOrders,
    guardRequests: 1_500,
    floor: { sqlite: 2, postgres: 1.25 },
  },
  {
    ...toYardstick,
    id: 'order-counted',
    name: 'orders of one counted product',
    status: 201,
    requests: ordersOfOneCounted,
    guardRequests: 500,
    floor: { postgres: 1 },
  },
  {
    subject: 'portico',
    baseline: 'portico',
    id: 'order-of-five',
    name: 'an order of five, against one of one',
    status: 201,
    requests: ordersOfFive,
    guardRequests: 1_000,
    baselineRequests: newOrders,
    floor: { sqlite: 0.5 },
  },
  // Random keys are the most expensive part of an order on SQLite; this shows the difference.
  {
    ...toYardstick,
    id: 'order-in-time',
    name: 'an order with a time-ordered key',
    status: 201,
    requests: newOrdersWithOrderedKeys,
  },
  {
    ...toYardstick,
    id: 'payment',
    name: 'a payment',
    status: 201,
    requests: ordersToPay,
    isOnce: true,
    guardRequests: 500,
  },
  {
    subject: 'portico',
    baseline: 'portico',
    id: 'replay',
    name: 'a replay, against one product',
    status: 201,
    requests: replays,
    guardRequests: 6_000,
    baselineRequests: singleProducts,
    floor: both(0.5),
  },
  {
    ...toYardstick,
    ...rejection,
    id: '401',
    name: 'no credential (401)',
    status: 401,
    requests: () => [wire('GET', '/v1/products?limit=20', undefined)],
    guardRequests: 15_000,
  },
  {
    ...toYardstick,
    ...rejection,
    id: '422',
    name: 'an invalid field (422)',
    status: 422,
    requests: ({ token, catalogue }) => [
      wire('POST', '/v1/orders', token, { product_id: catalogue.ids[0], quantity: -1 }),
    ],
  },
  {
    ...rejection,
    subject: 'limited',
    baseline: 'yardstick',
    id: '429',
    name: 'over the rate limit (429)',
    status: 429,
    requests: ({ token }) => [wire('GET', '/v1/products?limit=20', token)],
  },
  {
    ...toYardstick,
    id: 'mix',
    name: 'nine reads to an order',
    status: 201,
    requests: async (target) => {
      const [one, list, order] = [
        await singleProducts(target),
        await firstPage(20)(target),
        await newOrders(target),
      ];
      return one.flatMap((first, place) => {
        const pick = (from: readonly string[]): string => from[place % from.length] ?? first;
        return place % 10 === 0 ? [pick(order)] : [place % 3 === 0 ? pick(list) : first];
      });
    },
  },
  // The limit of p99 is what counts here: a read must not wait behind the writes.
  {
    ...toYardstick,
    id: 'reads-beside-orders',
    name: 'one product, beside orders',
    status: 200,
    requests: singleProducts,
    beside: newOrders,
  },
  {
    ...oneConnection,
    id: 'get-one-alone',
    name: 'one product, one connection',
    status: 200,
    requests: singleProducts,
  },
  {
    ...oneConnection,
    id: 'list-20-alone',
    name: 'a list of 20, one connection',
    status: 200,
    requests: firstPage(20),
  },
  { ...oneConnection, id: 'order-alone', name: 'an order, one connection', status: 201, requests: newOrders },
  {
    ...tenTimesAsMany,
    id: 'more-one',
    name: 'one product of ten times as many',
    status: 200,
    requests: singleProducts,
  },
  {
    ...tenTimesAsMany,
    id: 'more-deep',
    name: 'a list of 20 in ten times as many',
    status: 200,
    requests: deepPages,
  },
];

/** Whether the guard compares it with an earlier commit. */
export const isGuarded = ({ guardRequests }: Scenario): boolean => guardRequests !== undefined;
