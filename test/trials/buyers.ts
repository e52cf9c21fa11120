import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../bootstrap/support/server.ts';
import type { Json } from '../http/support/client.ts';

/** What a server said, and when. */
export interface Heard {
  readonly base: string;
  readonly path: string;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  /** By `performance.now()`. */
  readonly asked: number;
  readonly answered: number;
}

/** What somebody has been told is done. */
interface Acknowledged {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  readonly text: string;
}

const names = ['/v1/orders', '/v1/payments'] as const;
const pauseAfterRefusal = 50;

/**
 * People who order and pay, one thing after the other, each under a key of its own, and ask again under the same key until
 * they are told that it is done.
 */
export class Buyers {
  readonly heard: Heard[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly #servers: readonly Server[];
  readonly #product: string;
  readonly #ended: Promise<unknown>;
  #goOn = true;

  private constructor(servers: readonly Server[], product: string, count: number) {
    this.#servers = servers;
    this.#product = product;
    const each = servers.flatMap((server) => Array.from({ length: count }, () => this.#buy(server)));
    this.#ended = Promise.all(each);
  }

  /** @param count for each server */
  static async begin(servers: readonly Server[], count: number): Promise<Buyers> {
    const tea = { name: 'Tea', price: { amount: 450, currency: 'EUR' } };
    const { status, body } = await (servers[0]?.client.post('/v1/products', tea) ?? Promise.reject());
    if (status !== 201) throw new Error(`There is nothing to buy: ${status}`);
    return new Buyers(servers, body.data.id, count);
  }

  /** Resolves when everybody has been told that what they began is done. */
  async end(): Promise<void> {
    this.#goOn = false;
    await this.#ended;
  }

  /**
   * Asks each server in turn for everything that was acknowledged, as a whole and once more under its key.
   * @returns what is not as it was said to be
   */
  async lost(): Promise<readonly string[]> {
    const lost: string[] = [];
    const left = this.acknowledged.entries();
    const look = async (): Promise<void> => {
      for (const [number, { path, key, body, text }] of left) {
        const server = this.#servers[number % this.#servers.length];
        if (server === undefined) return;
        const again = await ask(server, path, key, body);
        if (again.text !== text) lost.push(`${path} again: ${again.status} ${again.text}`);
        const id: string = JSON.parse(text).data.id;
        const found = await ask(server, `${path}/${id}`);
        if (found.status !== 200) lost.push(`${path}/${id}: ${found.status}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, look));
    return lost;
  }

  async #buy(server: Server): Promise<void> {
    while (this.#goOn) {
      const order = await this.#insist(server, names[0], { product_id: this.#product, quantity: 1 });
      await this.#insist(server, names[1], { order_id: order.data.id, payment_method: 'tok_ok' });
    }
  }

  async #insist(server: Server, path: string, body: object): Promise<Json> {
    const key = randomUUID();
    for (;;) {
      const heard = await ask(server, path, key, body);
      this.heard.push(heard);
      if (heard.status === 201) {
        this.acknowledged.push({ path, key, body, text: heard.text });
        return JSON.parse(heard.text);
      }
      await pause(pauseAfterRefusal);
    }
  }
}

const ask = async ({ client }: Server, path: string, key?: string, body?: object): Promise<Heard> => {
  const { base } = client;
  const asked = performance.now();
  const headers: Record<string, string> = { Authorization: `Bearer ${client.token}` };
  if (key !== undefined) headers['Idempotency-Key'] = key;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  try {
    const response = await fetch(`${base}${path}`, request);
    const text = await response.text();
    const code: string | undefined = response.ok ? undefined : JSON.parse(text).error?.code;
    return { base, path, status: response.status, code, text, asked, answered: performance.now() };
  } catch (error) {
    return {
      base,
      path,
      status: 0,
      code: undefined,
      text: String(error),
      asked,
      answered: performance.now(),
    };
  }
};

/** `201 twice, 503 once` and so on. */
export const statuses = (heard: readonly Heard[]): string =>
  [...Map.groupBy(heard, ({ status, code }) => (code === undefined ? `${status}` : `${status} ${code}`))]
    .map(([status, all]) => `${all.length} x ${status}`)
    .join(', ');

/**
 * Whether somebody may hear that while the database is away: it failed, or who asks again is still being served. A
 * server that breaks a connection off has not said so much.
 */
export const isFitting = ({ status, code }: Heard): boolean =>
  [201, 502, 503, 504].includes(status) || code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
