import { randomUUID } from 'node:crypto';
import { openSync, readFileSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { listen } from '#adapters/http/server/server.ts';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { openLog } from '#adapters/system/log.ts';
import { unavailableReasons } from '#application/errors.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { recordRequests } from '#bootstrap/composition/listeners/access-log.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { ApiResponse, Client, Json } from '../../http/support/client.ts';
import { expectProblem } from '../../http/support/protocol.ts';
import { credential, requestText, Wire } from '../../http/support/wire.ts';
import { Metrics } from '../../support/metrics.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { turnsUntil } from '../../support/turns.ts';
import { Apps } from '../support/apps.ts';

const metric = 'portico_unavailable_responses_total';
const asked = { 'X-Request-Id': 'the-503' };
const tea = { name: 'Tea', price: { amount: 350, currency: 'EUR' } };
const create = (client: Client) => client.post('/v1/products', tea, asked);

const lineIn = (log: string): Json | undefined =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .findLast(({ requestId, route }) => requestId === 'the-503' && route !== undefined);

const labelOf = (reason: string): string => reason.replaceAll('-', '_');

/** Exactly this reason has been counted, once. */
const expectCounted = (metrics: Metrics, expected: string): void => {
  for (const reason of unavailableReasons.map(labelOf)) {
    expect(metrics.has(metric, { reason }), reason).to.equal(true);
    expect(metrics.value(metric, { reason }), reason).to.equal(reason === expected ? 1 : 0);
  }
};

describe('The reason of a 503', () => {
  const place = temporaryFolder();
  const apps = new Apps();
  let time: SimulatedTime;
  afterEach(async () => {
    time.end();
    await apps.end();
  });

  const soon = <T>(promise: Promise<T>): Promise<T> => time.settle(promise, 60_000, 1);

  interface Case {
    readonly reason: string;
    readonly settings: Readonly<Record<string, string>>;
    /** Makes the request that gets the 503. */
    readonly provoke: (client: Client, file: string) => Promise<ApiResponse>;
  }

  /** Holds SQLite's write lock meanwhile, as another process would. */
  const whileLocked: Case['provoke'] = async (client, file) => {
    const other = new BetterSqlite3(file);
    other.exec('begin immediate');
    try {
      return await time.settle(create(client), 60_000, 10);
    } finally {
      other.close();
    }
  };

  const cases: readonly Case[] = [
    {
      reason: 'overloaded',
      settings: { MAX_IN_FLIGHT: '1' },
      provoke: async (client) => {
        const product = await soon(client.post('/v1/products', tea));
        const order = await soon(
          client.post('/v1/orders', { product_id: product.body.data.id, quantity: 1 }),
        );
        const payment = { order_id: order.body.data.id, payment_method: 'tok_slow' };
        const paying = client.post('/v1/payments', payment, { 'Idempotency-Key': randomUUID() });
        let rejected = await soon(client.get('/v1/products', asked));
        for (let tries = 0; tries < 100 && rejected.status !== 503; tries += 1) {
          rejected = await soon(client.get('/v1/products', asked));
        }
        await time.settle(paying, 60_000, 10);
        return rejected;
      },
    },
    {
      reason: 'database_unavailable',
      settings: {},
      provoke: async (client, file) => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
        return soon(create(client));
      },
    },
    { reason: 'deadline_exceeded', settings: { REQUEST_TIMEOUT_MS: '1000' }, provoke: whileLocked },
    { reason: 'conflict', settings: { REQUEST_TIMEOUT_MS: '20000' }, provoke: whileLocked },
  ];

  it('is in the log line and the metric', async () => {
    for (const { reason, settings, provoke } of cases) {
      const file = place(`${reason}.db`);
      const environment = { DATABASE_URL: `sqlite:${file}`, OPS_PORT: '', LOG_LEVEL: 'info', ...settings };
      const { client, log, metrics } = await apps.start(environment);
      time = new SimulatedTime();
      const rejected = await provoke(client, file);
      expectProblem(rejected, '503 SERVICE_UNAVAILABLE');
      expect(rejected.headers.get('Retry-After')).to.equal('1');
      await turnsUntil(() => lineIn(log.text)?.status === 503);
      expect(lineIn(log.text)?.reason).to.equal(reason);
      expectCounted(await soon(metrics()), reason);
      await soon(apps.end());
      time.end();
    }
  });

  it('is draining for a request that a shutdown aborts', async () => {
    const file = place('draining.log');
    const log = openLog('info', { file: openSync(file, 'w') });
    const metrics = openMetrics({ version: '1', database: 'memory', provider: 'sandbox' });
    const config = readConfig({ DATABASE_URL: 'memory:', PORT: '0', LOG_LEVEL: 'silent' });
    const container = containerFor(config);
    const parts = await container.getAsync(tokens.apiDependencies);
    const authenticated = Promise.withResolvers<void>();
    const authenticator: Authenticator = {
      authenticate: (shown) => authenticated.promise.then(() => parts.authenticator.authenticate(shown)),
    };
    const onRequest = recordRequests(metrics, log);
    const app = api({ ...parts, authenticator, onRequest }, { ...config, transport: 'private' });
    const headers = commonHeaders(config.crossOrigin);
    const listener = await listen(app.callback(), { host: '127.0.0.1', port: 0, headers });
    const wire = await Wire.open(listener.url);
    time = new SimulatedTime();
    wire.write(requestText('GET /v1/products', ['X-Request-Id: the-503', credential({ token: 'a-token' })]));
    const answering = wire.answer();
    const inFlight = async () =>
      new Metrics((await metrics.page()).text).value('portico_http_requests_in_flight');
    await turnsUntil(async () => (await inFlight()) === 1);
    await time.settle(listener.close(500), 2_000);
    expectProblem(await answering, '503 SERVICE_UNAVAILABLE');
    authenticated.resolve();
    await container.unbindAllAsync();
    await log.close();
    expect(lineIn(readFileSync(file, 'utf8'))?.reason).to.equal('draining');
    expectCounted(new Metrics((await metrics.page()).text), 'draining');
  });
});
