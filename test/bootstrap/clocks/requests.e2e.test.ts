import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client, Json } from '../../http/support/client.ts';
import { expectCreated, expectList, expectOne } from '../../http/support/expectations.ts';
import { euros } from '../../http/support/shop.ts';
import type { Program } from '../../lab/program.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { startServer } from '../support/server.ts';
import { clockAhead, clockToleranceMs } from './clock-flags.ts';

describe('Two processes whose clocks are 25 hours apart', function () {
  this.timeout(300_000);
  let database: Database;
  const running: Program[] = [];

  /** A server on the shared database. */
  const start = async (flags: readonly string[] = []): Promise<Client> => {
    const settings = { DATABASE_URL: database.url, RECONCILE_AFTER_MS: '500' };
    const { program, client } = await startServer(settings, { flags });
    running.push(program);
    return client;
  };

  let shifted: Client;
  let right: Client;
  before(async () => {
    database = await freshDatabase();
    // It starts first, so it holds the lease of the background jobs.
    shifted = await start(clockAhead);
    right = await start();
  });
  after(async () => {
    await Promise.all(running.map((program) => program.kill()));
    await database.drop();
  });

  const newProduct = async () =>
    expectCreated(await right.post('/v1/products', { name: 'Tea', price: euros(350) }), '/v1/products');

  const newOrder = async (at: Client, product: Json): Promise<Json> =>
    expectCreated(await at.post('/v1/orders', { product_id: product.id, quantity: 1 }), '/v1/orders');

  const pay = (at: Client, order: Json, key: string) =>
    at.post('/v1/payments', { order_id: order.id, payment_method: 'tok_ok' }, { 'Idempotency-Key': key });

  const isNow = (time: string): void => {
    expect(Date.parse(time)).to.be.closeTo(Date.now(), clockToleranceMs);
  };

  /** The number of the newest partition. It is read from the catalogue, because a query of the table could keep a round waiting. */
  const newestPartition = async (): Promise<number> => {
    const rows = await database.query(
      "select max(substring(relname from '\\d+$')::int) as part from pg_inherits " +
        "join pg_class on pg_class.oid = inhrelid where inhparent = 'idempotency_keys'::regclass",
    );
    return Math.max(...rows.map(({ part }) => Number(part)));
  };

  /**
   * Waits for a whole round of background jobs from now on: it ends by creating a partition for new keys. Where a transaction uses
   * the table, the next attempt is a minute later.
   */
  const aRound = async (): Promise<void> => {
    for (const key of [randomUUID(), randomUUID()]) {
      const before = await newestPartition();
      await database.query(
        'insert into idempotency_keys (user_id, key, role, fingerprint, created_at, answer) ' +
          `values (gen_random_uuid(), '${key}', 'admin', '', now() - interval '24 hours', '')`,
      );
      await until(newestPartition, (newest) => newest > before, 70_000);
    }
  };

  it('store the same, correct time', async () => {
    const product = await newProduct();
    for (const server of [shifted, right]) {
      const order = await newOrder(server, product);
      const payment = expectCreated(await pay(server, order, randomUUID()), '/v1/payments');
      for (const { created_at, updated_at } of [order, payment]) [created_at, updated_at].forEach(isNow);
    }
  });

  it('replay the responses of the other one, and keep doing so', async () => {
    const product = await newProduct();
    for (const [first, second] of [
      [shifted, right],
      [right, shifted],
    ] as const) {
      const order = await newOrder(first, product);
      const key = randomUUID();
      const answer = await pay(first, order, key);
      expectCreated(answer, '/v1/payments');
      await aRound();
      for (const server of [second, first]) {
        const replay = await pay(server, order, key);
        expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
        expect([replay.status, replay.text]).to.deep.equal([201, answer.text]);
      }
    }
  });

  it('do not cancel the orders of the other one', async () => {
    const product = await newProduct();
    const orders = [await newOrder(shifted, product), await newOrder(right, product)];
    await aRound();
    for (const { id } of orders) {
      for (const server of [shifted, right]) {
        expect(expectOne(await server.get(`/v1/orders/${id}`)).status).to.equal('pending');
      }
    }
  });

  it('list orders in the order of creation, across both processes', async () => {
    const product = await newProduct();
    const { body } = await right.post('/v1/users', {
      email: 'ada@example.com',
      name: 'Ada',
      role: 'customer',
    });
    const placed: string[] = [];
    for (const server of [shifted, right, shifted, right, shifted]) {
      const order = { product_id: product.id, quantity: 1, user_id: body.data.id };
      placed.push(expectCreated(await server.post('/v1/orders', order), '/v1/orders').id);
      // More than the error of either clock.
      await pause(100);
    }
    const listed = expectList(await right.get(`/v1/orders?user_id=${body.data.id}`));
    expect(listed.map(({ id }: Json) => id)).to.deep.equal(placed);
  });

  it('count requests in windows of the correct time', async () => {
    for (const server of [shifted, right]) {
      const { headers } = await server.get('/v1/products');
      const seconds = Number(headers.get('X-RateLimit-Reset')) - Date.now() / 1000;
      expect(seconds).to.be.within(0, 61);
    }
  });
});
