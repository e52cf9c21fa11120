import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type ApiSettings, api } from '#adapters/http/api.ts';
import type { AccessLogEntry } from '#adapters/http/request/access-log-entry.ts';
import { commonHeaders } from '#adapters/http/request/common-headers.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { until } from '../../support/until.ts';
import { Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';
import { credential, jsonText, Wire } from '../support/wire.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';

/** How long a body may take here, in milliseconds: longer than an answer. */
const arrival = 2_500;

/**
 * The work waits where it finds out who asks, which is as deep inside as anything, until the test lets it go on. What has
 * to succeed is asked of an API with the usual deadlines.
 */
describe('A deadline', () => {
  const environment = {
    DATABASE_URL: 'memory:',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_API_KEY: token,
    REQUEST_TIMEOUT_MS: '1000',
    PAYMENT_TIMEOUT_MS: '1200',
  };
  const config = readConfig(environment);
  const container = containerFor(config);
  const reports: unknown[] = [];
  let waiting: PromiseWithResolvers<void>;
  const exchanges: AccessLogEntry[] = [];
  let hold: (take: () => void) => void;
  const listeners: Listener[] = [];
  let url: string;
  let patientUrl: string;

  before(async () => {
    const parts = await container.getAsync(tokens.apiParts);
    const authenticator: Authenticator = {
      authenticate: async (shown) => {
        await waiting.promise;
        return parts.authenticator.authenticate(shown);
      },
    };
    const report = (error: unknown) => reports.push(error);
    const watch = () => (exchange: AccessLogEntry) => exchanges.push(exchange);
    const headers = commonHeaders(config.crossOrigin);
    const open = async (times: ApiSettings['times']): Promise<string> => {
      const app = api(
        { ...parts, authenticator, report, onRequest: watch },
        { ...config, times, transport: 'private' },
      );
      const handle = app.callback();
      const take: RequestListener = (request, response) => hold(() => handle(request, response));
      const listener = await listen(take, { host: '127.0.0.1', port: 0, headers });
      listeners.push(listener);
      return listener.url;
    };
    url = await open({ ...config.times, arrival });
    patientUrl = await open({ request: 20_000, payment: 20_000 });
  });
  beforeEach(() => {
    reports.length = 0;
    exchanges.length = 0;
    hold = (take) => take();
    waiting = Promise.withResolvers();
  });
  after(async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await container.unbindAllAsync();
  });

  const client = () => new Client(() => url, token);
  const patient = () => new Client(() => patientUrl, token);
  const body = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };

  it('leaves alone what is done in time', async () => {
    waiting.resolve();
    expect((await patient().post('/v1/products', body)).status).to.equal(201);
  });

  it('is answered 503 when it passes, whatever the work is doing, and what the work then does is nobody’s fault', async () => {
    const begun = performance.now();
    const answer = await client().get('/v1/products');
    expect(performance.now() - begun).to.be.within(990, 4_000);
    expectProblem(answer, '503 SERVICE_UNAVAILABLE');
    expect(answer.headers.get('Retry-After')).to.equal('1');
    const head = await client().send('HEAD', '/v1/products');
    expect([head.status, head.text]).to.deep.equal([503, '']);
    waiting.resolve();
    waiting = Promise.withResolvers();
    waiting.resolve();
    expect((await patient().get('/v1/products')).status).to.equal(200);
    expect(reports).to.deep.equal([]);
  });

  it('is that of its arrival, however long a request then waits for its turn, and so is what it is said to take', async () => {
    hold = (take) => setTimeout(take, 900);
    const begun = performance.now();
    expectProblem(await client().get('/v1/products'), '503 SERVICE_UNAVAILABLE');
    expect(performance.now() - begun).to.be.below(1_700);
    waiting.resolve();
    const [exchange] = await until(
      async () => exchanges,
      ({ length }) => length > 0,
    );
    expect(exchange?.milliseconds).to.be.at.least(990);
  });

  it('reports what the work fails with later, unless that is but the store that was away', async () => {
    expectProblem(await client().get('/v1/products'), '503 SERVICE_UNAVAILABLE');
    const mistake = new TypeError('A mistake of ours.');
    waiting.reject(mistake);
    await until(
      async () => reports,
      ({ length }) => length > 0,
    );
    expect(reports).to.deep.equal([mistake]);
  });

  it('is later by the provider’s time for payments', async () => {
    waiting.resolve();
    const order = await anOrder();
    const begun = performance.now();
    const paid = await client().post(
      '/v1/payments',
      { order_id: order, payment_method: 'tok_timeout' },
      { 'Idempotency-Key': 'late' },
    );
    expect(performance.now() - begun).to.be.above(1_100);
    expectProblem(paid, '504 UPSTREAM_TIMEOUT');
  });

  const post = jsonText('POST /v1/products', [credential({ token })], JSON.stringify(body));

  it('does not run while the client is still sending', async () => {
    waiting.resolve();
    const wire = await Wire.open(url);
    wire.write(post.slice(0, -5));
    await pause(1_100);
    expect((await wire.write(post.slice(-5)).answer()).status).to.equal(201);
    wire.destroy();
  });

  it('of the sending is another: then it is a 408, and ends the connection', async () => {
    waiting.resolve();
    const wire = await Wire.open(url);
    const begun = performance.now();
    const answer = await wire.write(post.slice(0, -5)).answer();
    expect(performance.now() - begun).to.be.at.least(2_490);
    expectProblem(answer, '408 BAD_REQUEST');
    expect(answer.headers.get('Connection')).to.equal('close');
    await wire.closed();
  });

  const anOrder = async (): Promise<string> => {
    const product = (await patient().post('/v1/products', body)).body.data;
    const order = await patient().post('/v1/orders', { product_id: product.id, quantity: 1 });
    return order.body.data.id;
  };
});
