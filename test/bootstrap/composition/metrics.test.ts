import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Client, type Json } from '../../http/support/client.ts';
import { requestText, Wire } from '../../http/support/wire.ts';
import { appsOfEachTest } from '../support/apps.ts';
import { operatorKey } from '../support/server-settings.ts';
import { anOrder, requestsIn, settledMetrics } from './metered.ts';

describe('The metrics', () => {
  const apps = appsOfEachTest({ OPS_PORT: '' });

  it('count every request, by method, pattern and status, and nothing else', async () => {
    const server = await apps.start();
    const { client } = server;
    const product = { name: 'Tea', price: { amount: 350, currency: 'EUR' } };
    const made = await client.post('/v1/products', product);
    for (const _ of [1, 2, 3]) await client.get(`/v1/products/${made.body.data.id}`);
    await client.get('/v1/products/no-such-product');
    await client.get('/v1/products?limit=none');
    await client.send('HEAD', '/v1/products');
    await client.send('OPTIONS', '/v1/products');
    await client.send('DELETE', '/v1/products');
    await client.get('/v1/any/unknown/path');
    await new Client(() => server.app.url, undefined).get('/v1/orders/1/items');
    await fetch(`${server.app.opsUrl}/livez`);
    const metrics = await settledMetrics(server);
    const expected = {
      'POST /v1/products 201': 1,
      'GET /v1/products/{id} 200': 3,
      'GET /v1/products/{id} 404': 1,
      'GET /v1/products 422': 1,
      'HEAD /v1/products 200': 1,
      'OPTIONS /v1/products 204': 1,
      'DELETE /v1/products 405': 1,
      'GET unmatched 404': 1,
      'GET /v1/orders/{order_id}/items 401': 1,
    };
    for (const [line, count] of Object.entries(expected))
      expect(requestsIn(metrics, line), line).to.equal(count);
    expect(metrics.value('portico_authentication_failures_total')).to.equal(1);
    const all = metrics.series('portico_http_requests_total');
    expect(all).to.have.lengthOf(Object.keys(expected).length);
  });

  it('record how long requests took, in cumulative buckets', async () => {
    const server = await apps.start();
    for (const _ of [1, 2, 3, 4]) await server.client.get('/v1/products');
    const metrics = await settledMetrics(server);
    const labels = { method: 'GET', route: '/v1/products' };
    const name = 'portico_http_request_duration_seconds';
    expect(metrics.types.get(name)).to.equal('histogram');
    expect(metrics.value(`${name}_count`, labels)).to.equal(4);
    expect(metrics.value(`${name}_bucket`, { ...labels, le: '+Inf' })).to.equal(4);
    expect(metrics.value(`${name}_sum`, labels)).to.be.within(0.0001, 10);
    const bounds = metrics
      .series(`${name}_bucket`)
      .filter((series) => series.includes('method="GET"'))
      .map((series) => /le="([^"]+)"/.exec(series)?.[1] ?? '');
    expect(bounds[0]).to.equal('0.0005');
    expect(bounds.at(-2)).to.equal('10');
    const counts = bounds.map((le) => metrics.value(`${name}_bucket`, { ...labels, le }));
    expect(counts).to.deep.equal(counts.toSorted((one, other) => one - other));
  });

  it('count the outcomes of payments, refunds and idempotency keys', async () => {
    const server = await apps.start({ PAYMENT_TIMEOUT_MS: '20', IDEMPOTENCY_LEASE_MS: '60000' });
    const { client } = server;
    const pay = (order: Json, method: string, key: string = randomUUID()) =>
      client.post('/v1/payments', { order_id: order.id, payment_method: method }, { 'Idempotency-Key': key });
    const orders = await Promise.all(['ok', 'declined', 'error', 'timeout'].map(() => anOrder(client)));
    const [paid, declined, failed, late] = orders;
    const key = randomUUID();
    const payment = await pay(paid, 'tok_ok', key);
    await pay(paid, 'tok_ok', key);
    await pay(paid, 'tok_declined', key);
    await pay(paid, 'tok_ok');
    await pay(declined, 'tok_declined');
    await pay(failed, 'tok_error');
    await pay(late, 'tok_timeout');
    const refund = { payment_id: payment.body.data.id };
    await client.post('/v1/refunds', refund, { 'Idempotency-Key': randomUUID() });
    await client.post('/v1/products', {}, { 'Idempotency-Key': randomUUID() });
    const metrics = await settledMetrics(server);

    const by = (name: string, outcomes: readonly string[]) =>
      outcomes.map((outcome) => metrics.value(name, { outcome }));
    const endings = ['succeeded', 'declined', 'refused', 'failed', 'timed_out'];
    expect(by('portico_payments_total', endings)).to.deep.equal([1, 1, 1, 1, 1]);
    expect(by('portico_refunds_total', endings)).to.deep.equal([1, 0, 0, 0, 0]);
    const outcomes = ['executed', 'refused', 'replayed', 'in_progress', 'reused', 'failed'];
    // Four orders, a payment and a refund; a decline and a paid order. Invalid requests use no key.
    expect(by('portico_idempotent_requests_total', outcomes)).to.deep.equal([2, 2, 1, 0, 1, 2]);
    const calls = (operation: string) =>
      ['succeeded', 'declined', 'failed', 'timed_out'].map((outcome) =>
        metrics.value('portico_provider_calls_total', { operation, outcome }),
      );
    expect(calls('charge')).to.deep.equal([1, 1, 1, 1]);
    expect(calls('refund')).to.deep.equal([1, 0, 0, 0]);
    const charge = { operation: 'charge' };
    expect(metrics.value('portico_provider_call_duration_seconds_count', charge)).to.equal(4);
    expect(metrics.value('portico_unfinished_processes', { process: 'payment' })).to.equal(2);
    for (const process of ['refund', 'cancellation', 'capture'])
      expect(metrics.value('portico_unfinished_processes', { process })).to.equal(0);
  });

  it('count the decisions of the rate limit', async () => {
    const server = await apps.start({ RATE_LIMIT_MAX: '3' });
    for (const _ of [1, 2, 3, 4, 5]) await server.client.get('/v1/products');
    const metrics = await settledMetrics(server);
    expect(metrics.value('portico_rate_limit_decisions_total', { outcome: 'allowed' })).to.equal(3);
    expect(metrics.value('portico_rate_limit_decisions_total', { outcome: 'denied' })).to.equal(2);
    expect(requestsIn(metrics, 'GET /v1/products 429')).to.equal(2);
  });

  it('are separate for two apps in one process', async () => {
    const [one, other] = [await apps.start(), await apps.start()];
    await one.client.get('/v1/products');
    const [ones, others] = [await settledMetrics(one), await settledMetrics(other)];
    expect(requestsIn(ones, 'GET /v1/products 200')).to.equal(1);
    expect(requestsIn(others, 'GET /v1/products 200')).to.equal(0);
    expect(ones.value('process_resident_memory_bytes')).to.be.greaterThan(1_000_000);
    expect(others.value('process_resident_memory_bytes')).to.be.greaterThan(1_000_000);
  });

  it('have bounded labels, whatever clients send', async () => {
    const server = await apps.start();
    for (let count = 0; count < 100; count += 1) {
      await server.client.get(`/v1/products/${randomUUID()}`);
      await server.client.get(`/v1/${randomUUID()}`);
    }
    const wire = await Wire.open(server.app.url);
    await wire.write(requestText('PROPFIND /v1/products', [`Authorization: Bearer ${operatorKey}`])).answer();
    wire.destroy();
    const metrics = await settledMetrics(server);
    expect(metrics.series('portico_http_requests_total')).to.have.lengthOf(3);
    expect(requestsIn(metrics, 'other /v1/products 405')).to.equal(1);
  });

  it('have a type and a help text, and accept only GET and HEAD', async () => {
    const server = await apps.start();
    const address = `${server.app.opsUrl}/metrics`;
    const response = await fetch(address);
    expect(response.headers.get('Content-Type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers.get('Cache-Control')).to.equal('no-store');
    expect((await fetch(address, { method: 'POST' })).status).to.equal(405);
    expect(await (await fetch(address, { method: 'HEAD' })).text()).to.equal('');
    const metrics = await server.metrics();
    for (const [name, type] of metrics.types) {
      expect(name).to.match(/^(portico|process|nodejs)_[a-z0-9_]+$/);
      // The metrics of Node have names of their own.
      if (name.startsWith('portico_')) expect(name.endsWith('_total'), name).to.equal(type === 'counter');
    }
  });
});
