import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { requestText, Wire } from '../../http/support/wire.ts';
import type { Metrics } from '../../support/metrics.ts';
import { Network } from '../../support/network.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { appsOfEachTest } from '../support/apps.ts';
import { operatorKey } from '../support/server-settings.ts';
import { anOrder, requestsIn, settledMetrics } from './metered.ts';

describe('The metrics of what takes time, or of a database that is unavailable', () => {
  const apps = appsOfEachTest({ OPS_PORT: '' });

  it('count requests in flight, and clients that disconnected', async () => {
    const server = await apps.start();
    const { client } = server;
    const order = await anOrder(client);
    const key = randomUUID();
    const wire = await Wire.open(server.app.url);
    const body = JSON.stringify({ order_id: order.id, payment_method: 'tok_slow' });
    const headers = [`Authorization: Bearer ${operatorKey}`, `Idempotency-Key: ${key}`];
    const length = [`Content-Type: application/json`, `Content-Length: ${body.length}`];
    wire.write(requestText('POST /v1/payments', [...headers, ...length]) + body);
    await until(
      () => server.metrics(),
      (metrics) => metrics.value('portico_http_requests_in_flight') === 1,
    );
    wire.destroy();
    const metrics = await until(
      () => server.metrics(),
      (now) => requestsIn(now, 'POST /v1/payments 499') === 1,
    );
    expect(metrics.value('portico_http_requests_in_flight')).to.equal(0);
  });

  it('count the requests that were shed', async () => {
    const server = await apps.start({ MAX_IN_FLIGHT: '1' });
    const { client } = server;
    const order = await anOrder(client);
    const payment = { order_id: order.id, payment_method: 'tok_slow' };
    const paying = client.post('/v1/payments', payment, { 'Idempotency-Key': randomUUID() });
    await until(
      () => server.metrics(),
      (metrics) => metrics.value('portico_http_requests_in_flight') === 1,
    );
    for (const _ of [1, 2]) expect((await client.get('/v1/products')).status).to.equal(503);
    expect((await paying).status).to.equal(201);
    const metrics = await settledMetrics(server);
    expect(metrics.value('portico_http_requests_shed_total', { reason: 'in_flight' })).to.equal(2);
    expect(metrics.value('portico_http_requests_shed_total', { reason: 'store' })).to.equal(0);
    expect(requestsIn(metrics, 'GET unlooked 503')).to.equal(2);
  });

  it('report the background jobs', async () => {
    const server = await apps.start({ RECONCILE_AFTER_MS: '500', IDEMPOTENCY_LEASE_MS: '10000' });
    const { client } = server;
    const order = await anOrder(client);
    const payment = { order_id: order.id, payment_method: 'tok_error' };
    await client.post('/v1/payments', payment, { 'Idempotency-Key': randomUUID() });
    const task = { task: 'settle_unfinished' };
    const metrics = await until(
      () => server.metrics(),
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
    const server = await apps.start({ DATABASE_URL: network.through(database.url) });
    const isUp = (now: Metrics): boolean => now.value('portico_database_up') === 1;
    // A scrape waits a quarter of a second, which a slow machine may need for other things.
    const before = await until(() => server.metrics(), isUp);
    expect(before.has('portico_unfinished_processes', { process: 'payment' })).to.equal(true);
    expect(before.value('portico_database_connections', { state: 'idle' })).to.be.greaterThan(0);
    network.swallow();
    const away = await server.metrics();
    expect(away.value('portico_database_up')).to.equal(0);
    expect(away.has('portico_unfinished_processes', { process: 'payment' })).to.equal(false);
    await network.pass();
    network.reset();
    await until(() => server.metrics(), isUp);
    await apps.end();
    await network.close();
    await database.drop();
  });
});
