import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Stripe from 'stripe';
import { stripeClient } from '#adapters/payment/stripe/api/client.ts';
import { redactSecrets } from '#adapters/payment/stripe/api/redaction.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import type { ApiResponse, Client, Json } from '../http/support/client.ts';

interface Options {
  readonly secretKey: string;
  /** The origin of the API, when it is not Stripe's own. */
  readonly apiBase: string | undefined;
  /** How long to wait for what Stripe does later, in milliseconds. */
  readonly waitMs: number;
}

/** The price of each order, in cents. */
export const price = 1_000;

export const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** A Portico on SQLite that charges by Stripe, and the same account as its dashboard sees it. */
export class Shop {
  /** The official SDK, for what a person does in the dashboard. */
  readonly stripe: Stripe;
  readonly redact: (text: string) => string;
  readonly #server: Server;
  readonly #folder: string;
  readonly #waitMs: number;
  readonly #productId: string;

  private constructor(options: Options, server: Server, folder: string, productId: string) {
    this.stripe = stripeClient({ ...options, timeoutMs: 30_000 });
    this.redact = redactSecrets([options.secretKey]);
    this.#server = server;
    this.#folder = folder;
    this.#waitMs = options.waitMs;
    this.#productId = productId;
  }

  static async open(options: Options): Promise<Shop> {
    const folder = mkdtempSync(join(tmpdir(), 'portico-live-test-'));
    try {
      const server = await startServer(
        {
          DATABASE_URL: `sqlite:${join(folder, 'shop.db')}`,
          PAYMENT_PROVIDER: 'stripe',
          STRIPE_SECRET_KEY: options.secretKey,
          ...(options.apiBase !== undefined && { STRIPE_API_BASE: options.apiBase }),
          PROVIDER_EVENTS_POLL_MS: '1000',
        },
        { folder },
      );
      const tea = { name: 'Tea', price: euros(price) };
      const { body } = await server.client.post('/v1/products', tea);
      return new Shop(options, server, folder, body.data.id);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#server.program.kill();
    rmSync(this.#folder, { recursive: true });
  }

  get client(): Client {
    return this.#server.client;
  }

  async newOrder(): Promise<string> {
    const { body } = await this.client.post('/v1/orders', { product_id: this.#productId, quantity: 1 });
    return body.data.id;
  }

  pay(orderId: string, method: string, fields: object = {}, key?: string): Promise<ApiResponse> {
    return this.send('payments', { order_id: orderId, payment_method: method, ...fields }, key);
  }

  /** Pays a new order by a card that succeeds. @returns the payment @throws when it does not */
  async paid(method: string, fields: object = {}): Promise<Json> {
    const response = await this.pay(await this.newOrder(), method, fields);
    if (response.status !== 201) throw new Error(`${method} is not charged: ${summary(response)}.`);
    return response.body.data;
  }

  send(collection: string, body: object, key: string = randomUUID()): Promise<ApiResponse> {
    return this.client.post(`/v1/${collection}`, body, { 'Idempotency-Key': key });
  }

  refund(payment: Json, amount?: number): Promise<ApiResponse> {
    return this.send('refunds', {
      payment_id: payment.id,
      ...(amount !== undefined && { amount: euros(amount) }),
    });
  }

  cancel({ id }: Json): Promise<ApiResponse> {
    return this.client.patch(
      `/v1/payments/${id}`,
      { status: 'canceled' },
      { 'Idempotency-Key': randomUUID() },
    );
  }

  async get(path: string): Promise<Json> {
    return (await this.client.get(`/v1/${path}`)).body.data;
  }

  async orderStatus(id: string): Promise<string> {
    return (await this.get(`orders/${id}`)).status;
  }

  /** Reads until a condition holds. @returns what was read last, when it did not hold in time */
  async eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
    const deadline = performance.now() + this.#waitMs;
    for (;;) {
      const value = await read();
      if (holds(value) || performance.now() > deadline) return value;
      await pause(500);
    }
  }
}

/** The status of a response, with the code of its error or the status of its resource. */
export const summary = ({ status, body }: ApiResponse): string =>
  `${status} ${body?.error?.code ?? body?.data?.status ?? ''}`.trim();
