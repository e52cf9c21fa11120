import { closedLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { Tally } from '../load/tally.ts';
import { answerTo } from './canned.ts';
import type { Catalogue } from './catalogue.ts';
import { withKey } from './keys.ts';

/** A server that can be asked, and what for. */
export interface Stand {
  readonly id: number;
  readonly port: number;
  readonly catalogue: Catalogue;
  readonly token: string;
  /** For how long requests of which each is good once are to last, in seconds. */
  readonly seconds: number;
}

/** Requests as they go over the wire, asked one after the other, and from the first again; `{key}` and `{later key}` as in a load. */
export type Asked = (stand: Stand) => readonly string[] | Promise<readonly string[]>;

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

/** So many different ones, spread over all, that none of them is what was just read. */
const spread = <T>(from: readonly T[], write: (one: T) => string, many = 1_000): string[] => {
  const step = Math.max(1, from.length / many);
  const count = Math.min(many, from.length);
  return Array.from({ length: count }, (_, place) => write(from[Math.floor(place * step)] as T));
};

export const oneProduct = ({ catalogue, token }: Stand): string[] =>
  spread(catalogue.ids, (id) => wire('GET', `/v1/products/${id}`, token));

export const page =
  (limit: number): Asked =>
  ({ token }) => [wire('GET', `/v1/products?limit=${limit}`, token)];

/** Pages that begin there, by how much of all is before them. */
const pagesBetween =
  (from: number, to: number) =>
  ({ catalogue: { cursors }, token }: Stand): string[] =>
    spread(cursors.slice(Math.floor(from * cursors.length), Math.floor(to * cursors.length)), (cursor) =>
      wire('GET', `/v1/products?limit=20&cursor=${cursor}`, token),
    );

export const anyPage = pagesBetween(0, 1);
export const anEarlyPage = pagesBetween(0, 0.1);
export const aDeepPage = pagesBetween(0.9, 1);

const orderOf = (id: string, token: string, key: string): string =>
  wire('POST', '/v1/orders', token, { product_id: id, quantity: 1 }, key);

export const anOrder = ({ catalogue, token }: Stand): string[] =>
  spread(catalogue.uncounted, (id) => orderOf(id, token, '{key}'));

/** As whoever uses Portico's own client asks. */
export const anOrderInTime = ({ catalogue, token }: Stand): string[] =>
  spread(catalogue.uncounted, (id) => orderOf(id, token, '{later key}'));

/** Orders that have been answered once. */
export const replays = async ({ catalogue, token, port }: Stand): Promise<string[]> => {
  const orders = spread(catalogue.uncounted, (id) => orderOf(id, token, crypto.randomUUID()), 100);
  for (const order of orders) await answerTo(port, order);
  return orders;
};

/**
 * A payment for each of as many orders as can be placed in the time in which they are to be paid: none is paid twice, for
 * a payment takes longer than an order.
 */
export const ordersToPay = async (stand: Stand): Promise<string[]> => {
  const orders = anOrder(stand);
  const placed: string[] = [];
  const begun = performance.now();
  await closedLoad({
    port: stand.port,
    connections: 32,
    tally: new Tally(),
    next: (number) => {
      const order = orders[number % orders.length] ?? '';
      return Buffer.from(withKey(order));
    },
    goesOn: () => performance.now() - begun < 1000 * stand.seconds,
    heard: (status, bytes) => {
      const [, id] = /"id":"([^"]+)"/.exec(bytes.toString()) ?? [];
      if (status === 201 && id !== undefined) placed.push(id);
    },
  });
  const body = (id: string) => ({ order_id: id, payment_method: 'tok_ok' });
  return placed.map((id) => wire('POST', '/v1/payments', stand.token, body(id), '{key}'));
};
