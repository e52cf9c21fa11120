import { closedLoad } from '../lab/load/load.ts';
import { orderBytes, requestBytes } from '../lab/load/request.ts';
import { Tally } from '../lab/load/tally.ts';
import { sendOnce } from './load/canned.ts';
import { withKey } from './load/keys.ts';
import type { Catalogue } from './servers/catalogue.ts';

/** A running server with its products. */
export interface Target {
  readonly id: number;
  readonly port: number;
  readonly catalogue: Catalogue;
  readonly token: string;
  /** Seconds for which requests must last that work only once. */
  readonly seconds: number;
}

/** Makes requests as they go over the wire. They are sent in turn, repeatedly; `{key}` and `{later key}` as in `LoadOptions`. */
export type RequestsFor = (stand: Target) => readonly string[] | Promise<readonly string[]>;

export const wire = (
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
  key?: string,
): string => {
  const credential = token !== undefined && { Authorization: `Bearer ${token}` };
  const keyed = key !== undefined && { 'Idempotency-Key': key };
  return requestBytes(method, path, { ...credential, ...keyed }, body).toString();
};

/** Picks up to `many` entries, spread evenly, so that none was read a moment ago. */
const spread = <T>(from: readonly T[], write: (one: T) => string, many = 1_000): string[] => {
  const step = Math.max(1, from.length / many);
  const count = Math.min(many, from.length);
  return Array.from({ length: count }, (_, place) => write(from[Math.floor(place * step)] as T));
};

export const singleProducts = ({ catalogue, token }: Target): string[] =>
  spread(catalogue.ids, (id) => wire('GET', `/v1/products/${id}`, token));

export const firstPage =
  (limit: number): RequestsFor =>
  ({ token }) => [wire('GET', `/v1/products?limit=${limit}`, token)];

/** Pages whose cursors lie between two fractions of the list. */
const pagesBetween =
  (from: number, to: number) =>
  ({ catalogue: { cursors }, token }: Target): string[] =>
    spread(cursors.slice(Math.floor(from * cursors.length), Math.floor(to * cursors.length)), (cursor) =>
      wire('GET', `/v1/products?limit=20&cursor=${cursor}`, token),
    );

export const anyPages = pagesBetween(0, 1);
export const earlyPages = pagesBetween(0, 0.1);
export const deepPages = pagesBetween(0.9, 1);

const orderOf = (id: string, token: string, key: string): string => orderBytes(token, id, key).toString();

export const newOrders = ({ catalogue, token }: Target): string[] =>
  spread(catalogue.uncounted, (id) => orderOf(id, token, '{key}'));

/** Orders of five products each. */
export const ordersOfFive = ({ catalogue: { uncounted }, token }: Target): string[] =>
  spread([...uncounted.keys()], (first) => {
    const items = Array.from({ length: 5 }, (_, step) => ({
      product_id: uncounted[(first + step) % uncounted.length],
      quantity: 1,
    }));
    return wire('POST', '/v1/orders', token, { items }, '{key}');
  });

/** All of them wait for the lock of one row. */
export const ordersOfOneCounted = ({ catalogue, token }: Target): string[] => [
  orderOf(catalogue.counted, token, '{key}'),
];

/** Portico's client makes such keys. */
export const newOrdersWithOrderedKeys = ({ catalogue, token }: Target): string[] =>
  spread(catalogue.uncounted, (id) => orderOf(id, token, '{later key}'));

/** Orders that were sent once before, so that each is a replay. */
export const replays = async ({ catalogue, token, port }: Target): Promise<string[]> => {
  const orders = spread(catalogue.uncounted, (id) => orderOf(id, token, crypto.randomUUID()), 100);
  for (const order of orders) await sendOnce(port, order);
  return orders;
};

/**
 * One payment for each order placed in `target.seconds`. Payments take longer than orders, so the measurement ends before they
 * run out.
 */
export const ordersToPay = async (stand: Target): Promise<string[]> => {
  const orders = newOrders(stand);
  const placed: string[] = [];
  await closedLoad({
    port: stand.port,
    connections: 32,
    tally: new Tally(),
    next: (number) => {
      const order = orders[number % orders.length] ?? '';
      return Buffer.from(withKey(order));
    },
    milliseconds: 1000 * stand.seconds,
    onResponse: (status, bytes) => {
      const [, id] = /"id":"([^"]+)"/.exec(bytes.toString()) ?? [];
      if (status === 201 && id !== undefined) placed.push(id);
    },
  });
  const body = (id: string) => ({ order_id: id, payment_method: 'tok_ok' });
  return placed.map((id) => wire('POST', '/v1/payments', stand.token, body(id), '{key}'));
};
