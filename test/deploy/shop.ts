import { randomUUID } from 'node:crypto';
import type { Server } from '../bootstrap/support/server.ts';
import type { ApiResponse, Client, Json } from '../http/support/client.ts';
import { expectCreated, expectList } from '../http/support/expectations.ts';
import { euros } from '../http/support/shop.ts';

/** A payment that was acknowledged to a client. */
interface Paid {
  readonly order: Json;
  readonly key: string;
  readonly payment: Json;
  /** The exact body. */
  readonly text: string;
}

/** A client that buys one thing after the other, and records all responses. */
export class Buyer {
  readonly #server: () => Server;
  readonly paid: Paid[] = [];
  #isBuying = false;
  #buying: Promise<void> = Promise.resolve();
  #product: Json;

  constructor(server: () => Server) {
    this.#server = server;
  }

  get #client(): Client {
    return this.#server().client;
  }

  async open(): Promise<void> {
    const tea = { name: 'Tea', price: euros(350), stock: 1_000_000 };
    this.#product = expectCreated(await this.#client.post('/v1/products', tea), '/v1/products');
  }

  async order(): Promise<Json> {
    const wanted = { product_id: this.#product.id, quantity: 1 };
    return expectCreated(await this.#client.post('/v1/orders', wanted), '/v1/orders');
  }

  pay(order: Json, key: string): Promise<ApiResponse> {
    const body = { order_id: order.id, payment_method: 'pm_card_visa' };
    return this.#client.post('/v1/payments', body, { 'Idempotency-Key': key });
  }

  async buy(): Promise<Paid> {
    const [order, key] = [await this.order(), randomUUID()];
    const answer = await this.pay(order, key);
    const paid = { order, key, payment: expectCreated(answer, '/v1/payments'), text: answer.text };
    this.paid.push(paid);
    return paid;
  }

  async paymentsOf(order: Json): Promise<readonly Json[]> {
    return expectList(await this.#client.get(`/v1/payments?order_id=${order.id}`));
  }

  /** Buys continuously, with so many concurrent loops. */
  start(hands: number): void {
    this.#isBuying = true;
    const one = async () => {
      while (this.#isBuying) await this.buy();
    };
    this.#buying = Promise.all(Array.from({ length: hands }, one)).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isBuying = false;
    await this.#buying;
  }
}
