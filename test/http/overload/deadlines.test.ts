import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { type ApiOptions, api } from '#adapters/http/api.ts';
import type { AccessLogEntry } from '#adapters/http/request/access-log-entry.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';
import { credential, jsonText, Wire } from '../support/wire.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';

/** The defaults, in milliseconds. A response takes that long at most, a payment as much again, and a whole request to arrive. */
const [request, payment, arrival] = [10_000, 10_000, 20_000];

/**
 * Authentication waits until the test releases it, which stands for slow work anywhere inside the application. Requests that
 * have to succeed go to an API with the default timeouts.
 */
describe('The deadline of a request', () => {
  const environment = {
    DATABASE_URL: 'memory:',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_API_KEY: token,
  };
  const config = readConfig(environment);
  let time: FlowingTime;
  let close: () => Promise<void>;
  const reports: unknown[] = [];
  let waiting: PromiseWithResolvers<void>;
  const entries: AccessLogEntry[] = [];
  let delay: (start: () => void) => void;
  const listeners: Listener[] = [];
  let url: string;
  let defaultUrl: string;

  before(async () => {
    time = new FlowingTime();
    const container = containerFor(config);
    close = () => container.unbindAllAsync();
    const parts = await container.getAsync(tokens.apiDependencies);
    const authenticator: Authenticator = {
      authenticate: async (shown) => {
        await waiting.promise;
        return parts.authenticator.authenticate(shown);
      },
    };
    const report = (error: unknown) => reports.push(error);
    const onRequest = () => (entry: AccessLogEntry) => entries.push(entry);
    const headers = commonHeaders(config.crossOrigin);
    const open = async (times: ApiOptions['times']): Promise<string> => {
      const app = api(
        { ...parts, authenticator, report, onRequest },
        { ...config, times, transport: 'private' },
      );
      const handle = app.callback();
      const listener: RequestListener = (request, response) => delay(() => handle(request, response));
      const opened = await listen(listener, { host: '127.0.0.1', port: 0, headers });
      listeners.push(opened);
      return opened.url;
    };
    url = await open(config.times);
    defaultUrl = await open({ request: 600_000, payment: 600_000 });
  });
  beforeEach(() => {
    reports.length = 0;
    entries.length = 0;
    delay = (start) => start();
    waiting = Promise.withResolvers();
  });
  after(async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await close();
    time.end();
  });

  const client = () => new Client(() => url, token);
  const unhurried = () => new Client(() => defaultUrl, token);
  const body = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };

  it('does not affect a request that is finished in time', async () => {
    waiting.resolve();
    expect((await unhurried().post('/v1/products', body)).status).to.equal(201);
  });

  it('gives 503 when it passes, and the late result of the work is not reported', async () => {
    const [answer, milliseconds] = await time.during(client().get('/v1/products'));
    expect(milliseconds).to.be.within(request, request + 300);
    expectProblem(answer, '503 SERVICE_UNAVAILABLE');
    expect(answer.headers.get('Retry-After')).to.equal('1');
    const [head] = await time.during(client().send('HEAD', '/v1/products'));
    expect([head.status, head.text]).to.deep.equal([503, '']);
    waiting.resolve();
    waiting = Promise.withResolvers();
    waiting.resolve();
    expect((await unhurried().get('/v1/products')).status).to.equal(200);
    expect(reports).to.deep.equal([]);
  });

  it('counts from the arrival of the request, with the time in the queue, as the logged duration does', async () => {
    delay = (start) => setTimeout(start, request - 50);
    const [answer, milliseconds] = await time.during(client().get('/v1/products'));
    expectProblem(answer, '503 SERVICE_UNAVAILABLE');
    expect(milliseconds).to.be.within(request - 50, request + 300);
    waiting.resolve();
    const [entry] = await time.until(
      async () => entries,
      ({ length }) => length > 0,
    );
    expect(entry?.milliseconds).to.be.at.least(request - 10);
  });

  it('does not hide an error that the work throws later, unless the store was unavailable', async () => {
    const [answer] = await time.during(client().get('/v1/products'));
    expectProblem(answer, '503 SERVICE_UNAVAILABLE');
    const defect = new TypeError('A programming error.');
    waiting.reject(defect);
    await time.until(
      async () => reports,
      ({ length }) => length > 0,
    );
    expect(reports).to.deep.equal([defect]);
  });

  it('is extended by the timeout of the provider for payments', async () => {
    waiting.resolve();
    const order = await anOrder();
    const [paid, milliseconds] = await time.during(
      client().post(
        '/v1/payments',
        { order_id: order, payment_method: 'tok_timeout' },
        { 'Idempotency-Key': 'late' },
      ),
    );
    expect(milliseconds).to.be.within(payment - 50, payment + 500);
    expectProblem(paid, '504 UPSTREAM_TIMEOUT');
  });

  const post = jsonText('POST /v1/products', [credential({ token })], JSON.stringify(body));

  it('does not run while the client sends the body', async () => {
    waiting.resolve();
    const wire = await Wire.open(url);
    wire.write(post.slice(0, -5));
    await time.pass(request + 1_000);
    expect((await wire.write(post.slice(-5)).answer()).status).to.equal(201);
    wire.destroy();
  });

  it('of the body is another: it gives 408 and closes the connection', async () => {
    waiting.resolve();
    const wire = await Wire.open(url);
    const [answer, milliseconds] = await time.during(wire.write(post.slice(0, -5)).answer());
    expect(milliseconds).to.be.within(arrival, arrival + 500);
    expectProblem(answer, '408 BAD_REQUEST');
    expect(answer.headers.get('Connection')).to.equal('close');
    await wire.closed();
  });

  const anOrder = async (): Promise<string> => {
    const product = (await unhurried().post('/v1/products', body)).body.data;
    const order = await unhurried().post('/v1/orders', { product_id: product.id, quantity: 1 });
    return order.body.data.id;
  };
});
