import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client, type Json } from '../../http/support/client.ts';
import { requestText, Wire } from '../../http/support/wire.ts';
import { Metrics } from '../../support/metrics.ts';
import { Network } from '../../support/network.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';

const usual = {
  DATABASE_URL: 'memory:',
  PORT: '0',
  LOG_LEVEL: 'silent',
  ADMIN_API_KEY: token,
  RATE_LIMIT_MAX: '1000000',
};

describe('The metrics of what takes time, or of a database that is unavailable', () => {
  const running: App[] = [];
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<App> => {
    const ports = { OPS_PORT: `${await freePort()}` };
    const app = await startApp(readConfig({ ...usual, ...ports, ...environment }));
    running.push(app);
    return app;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
  });

  const calling = (app: App): Client => new Client(() => app.url, token);
  const metricsOf = (app: App): Promise<Metrics> => Metrics.of(app.opsUrl ?? '');

  /** Waits until all requests have been counted: the client has the response a moment earlier. */
  const settled = (app: App): Promise<Metrics> =>
    until(
      () => metricsOf(app),
      (metrics) => metrics.value('portico_http_requests_in_flight') === 0,
    );

  const requests = (metrics: Metrics, line: string): number => {
    const [method = '', route = '', status = ''] = line.split(' ');
    return metrics.value('portico_http_requests_total', { method, route, status });
  };

  it('count requests in flight, and clients that disconnected', async () => {
    const app = await start();
    const client = calling(app);
    const order = await newOrder(client);
    const key = randomUUID();
    const wire = await Wire.open(app.url);
    const body = JSON.stringify({ order_id: order.id, payment_method: 'tok_slow' });
    const headers = [`Authorization: Bearer ${token}`, `Idempotency-Key: ${key}`];
    const length = [`Content-Type: application/json`, `Content-Length: ${body.length}`];
    wire.write(requestText('POST /v1/payments', [...headers, ...length]) + body);
    await until(
      () => metricsOf(app),
      (metrics) => metrics.value('portico_http_requests_in_flight') === 1,
    );
    wire.destroy();
    const metrics = await until(
      () => metricsOf(app),
      (now) => requests(now, 'POST /v1/payments 499') === 1,
    );
    expect(metrics.value('portico_http_requests_in_flight')).to.equal(0);
  });

  it('count the requests that were shed', async () => {
    const app = await start({ MAX_IN_FLIGHT: '1' });
    const client = calling(app);
    const order = await newOrder(client);
    const payment = { order_id: order.id, payment_method: 'tok_slow' };
    const paying = client.post('/v1/payments', payment, { 'Idempotency-Key': randomUUID() });
    await until(
      () => metricsOf(app),
      (metrics) => metrics.value('portico_http_requests_in_flight') === 1,
    );
    for (const _ of [1, 2]) expect((await client.get('/v1/products')).status).to.equal(503);
    expect((await paying).status).to.equal(201);
    const metrics = await settled(app);
    expect(metrics.value('portico_http_requests_shed_total', { reason: 'in_flight' })).to.equal(2);
    expect(metrics.value('portico_http_requests_shed_total', { reason: 'store' })).to.equal(0);
    expect(requests(metrics, 'GET unlooked 503')).to.equal(2);
  });

  it('report the background jobs', async () => {
    const app = await start({ RECONCILE_AFTER_MS: '500', IDEMPOTENCY_LEASE_MS: '10000' });
    const client = calling(app);
    const order = await newOrder(client);
    const payment = { order_id: order.id, payment_method: 'tok_error' };
    await client.post('/v1/payments', payment, { 'Idempotency-Key': randomUUID() });
    const task = { task: 'settle_unfinished' };
    const metrics = await until(
      () => metricsOf(app),
      (now) => now.value('portico_housekeeping_done_total', task) === 1,
    );
    expect(metrics.value('portico_housekeeping_rounds_total', task)).to.be.greaterThan(0);
    expect(metrics.value('portico_housekeeping_on_duty')).to.equal(1);
    const closed = { operation: 'close_charge', outcome: 'declined' };
    expect(metrics.value('portico_provider_calls_total', closed)).to.equal(1);
  });

  it('are served while the database is unavailable, and report that', async () => {
    const database = await freshDatabase();
    const network = await Network.to(database.url);
    const app = await start({ DATABASE_URL: network.through(database.url) });
    const before = await metricsOf(app);
    expect(before.value('portico_database_up')).to.equal(1);
    expect(before.has('portico_unfinished_processes', { process: 'payment' })).to.equal(true);
    expect(before.value('portico_database_connections', { state: 'idle' })).to.be.greaterThan(0);
    network.swallow();
    const away = await metricsOf(app);
    expect(away.value('portico_database_up')).to.equal(0);
    expect(away.has('portico_unfinished_processes', { process: 'payment' })).to.equal(false);
    await network.pass();
    network.reset();
    await until(
      () => metricsOf(app),
      (now) => now.value('portico_database_up') === 1,
    );
    await app.close();
    running.splice(running.indexOf(app), 1);
    await network.close();
    await database.drop();
  });
});

const newOrder = async (client: Client): Promise<Json> => {
  const product = await client.post('/v1/products', { name: 'Tea', price: { amount: 350, currency: 'EUR' } });
  const order = { product_id: product.body.data.id, quantity: 1 };
  return (await client.post('/v1/orders', order)).body.data;
};
