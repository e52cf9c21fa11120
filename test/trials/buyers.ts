import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../bootstrap/support/server.ts';
import type { Json } from '../http/support/client.ts';

/** A response, and when it arrived. */
export interface ObservedResponse {
  readonly base: string;
  readonly path: string;
  /** 0 when there was no response. */
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  /** By `performance.now()`. */
  readonly asked: number;
  readonly answered: number;
}

/** A write that a server has acknowledged. */
interface AcknowledgedRequest {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  readonly text: string;
}

const names = ['/v1/orders', '/v1/payments'] as const;
const retryDelayMs = 50;

/**
 * Clients that order and pay in turn, each request with its own idempotency key, and retry with the same key until the write is
 * acknowledged.
 */
export class Buyers {
  readonly responses: ObservedResponse[] = [];
  readonly acknowledged: AcknowledgedRequest[] = [];
  readonly #servers: readonly Server[];
  readonly #product: string;
  readonly #ended: Promise<unknown>;
  #isBuying = true;

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
    if (status !== 201) throw new Error(`The product could not be created: ${status}`);
    return new Buyers(servers, body.data.id, count);
  }

  /** Stops the clients. Resolves when each write that they began is acknowledged. */
  async end(): Promise<void> {
    this.#isBuying = false;
    await this.#ended;
  }

  /**
   * Reads each acknowledged resource, and replays its request under the same key, spread over the servers.
   * @returns the acknowledged writes that are lost or that replay differently
   */
  async lost(): Promise<readonly string[]> {
    const lost: string[] = [];
    const left = this.acknowledged.entries();
    const verify = async (): Promise<void> => {
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
    await Promise.all(Array.from({ length: 8 }, verify));
    return lost;
  }

  async #buy(server: Server): Promise<void> {
    while (this.#isBuying) {
      const order = await this.#retryUntilCreated(server, names[0], {
        product_id: this.#product,
        quantity: 1,
      });
      await this.#retryUntilCreated(server, names[1], { order_id: order.data.id, payment_method: 'tok_ok' });
    }
  }

  async #retryUntilCreated(server: Server, path: string, body: object): Promise<Json> {
    const key = randomUUID();
    for (;;) {
      const response = await ask(server, path, key, body);
      this.responses.push(response);
      if (response.status === 201) {
        this.acknowledged.push({ path, key, body, text: response.text });
        return JSON.parse(response.text);
      }
      await pause(retryDelayMs);
    }
  }
}

const ask = async (
  { client }: Server,
  path: string,
  key?: string,
  body?: object,
): Promise<ObservedResponse> => {
  const { base } = client;
  const requested = performance.now();
  const headers: Record<string, string> = { Authorization: `Bearer ${client.token}` };
  if (key !== undefined) headers['Idempotency-Key'] = key;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  try {
    const response = await fetch(`${base}${path}`, request);
    const text = await response.text();
    const code: string | undefined = response.ok ? undefined : JSON.parse(text).error?.code;
    return { base, path, status: response.status, code, text, asked: requested, answered: performance.now() };
  } catch (error) {
    return {
      base,
      path,
      status: 0,
      code: undefined,
      text: String(error),
      asked: requested,
      answered: performance.now(),
    };
  }
};

/** Such as `2 x 201, 1 x 503 SERVICE_UNAVAILABLE`. */
export const countByStatus = (responses: readonly ObservedResponse[]): string =>
  [...Map.groupBy(responses, ({ status, code }) => (code === undefined ? `${status}` : `${status} ${code}`))]
    .map(([status, all]) => `${all.length} x ${status}`)
    .join(', ');

/**
 * Whether a response is allowed while the database is unavailable: success, a server error, or a retry whose first request is
 * still in progress. A connection without a response is not.
 */
export const isExpectedDuringOutage = ({ status, code }: ObservedResponse): boolean =>
  [201, 502, 503, 504].includes(status) || code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
