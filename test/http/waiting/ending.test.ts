import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';
import { timed, untilItWaits } from '../support/waiting.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';

const environment = {
  DATABASE_URL: 'memory:',
  PORT: '0',
  OPS_PORT: '0',
  LOG_LEVEL: 'silent',
  ADMIN_API_KEY: token,
};

const path = '/v1/events?start=latest';
const tea = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };

describe('A request that waits while the service shuts down', () => {
  let app: App;
  let client: Client;
  let closing: Promise<void> | undefined;
  const close = (drain?: number): Promise<void> => {
    closing ??= app.close(drain);
    return closing;
  };
  beforeEach(async () => {
    closing = undefined;
    app = await startApp(readConfig(environment));
    client = new Client(() => app.url, token);
    // The first request takes longer than others.
    await client.get(path);
  });
  afterEach(() => close());

  it('gets at once what there is then', async () => {
    const waiting = Promise.all([1, 2, 3].map(() => timed(client.get(path, { Prefer: 'wait=20' }))));
    await pause(4 * untilItWaits);
    void close();
    for (const [{ status, body, headers }, milliseconds] of await waiting) {
      expect(status).to.equal(200);
      expect(body.data).to.deep.equal([]);
      expect(headers.get('Preference-Applied')).to.equal('wait=20');
      expect(headers.get('Connection')).to.equal('close');
      expect(milliseconds).to.be.below(2_000);
    }
  });

  it('ends when the shutdown is announced, and none begins from then on', async () => {
    const waiting = timed(client.get(path, { Prefer: 'wait=20' }));
    await pause(4 * untilItWaits);
    void close(1_000);
    expect((await waiting)[1]).to.be.below(1_600);
    const [late, milliseconds] = await timed(client.get(path, { Prefer: 'wait=20' }));
    expect(late.status).to.equal(200);
    expect(late.headers.has('Preference-Applied')).to.equal(false);
    expect(milliseconds).to.be.below(800);
  });
});

/** The second authentication of a request, behind its wait, stands for slow work. */
describe('The deadline of a request that waits', () => {
  const config = readConfig({ ...environment, REQUEST_TIMEOUT_MS: '400' });
  const container = containerFor(config);
  let listener: Listener;
  let isSlow = false;
  let client: Client;
  let reader: Client;
  before(async () => {
    const parts = await container.getAsync(tokens.apiDependencies);
    const authenticator: Authenticator = {
      authenticate: async (shown) => {
        if (isSlow && shown === reader.token) await pause(2_000);
        return parts.authenticator.authenticate(shown);
      },
    };
    const app = api({ ...parts, authenticator }, { ...config, transport: 'private' });
    const headers = commonHeaders(config.crossOrigin);
    listener = await listen(app.callback(), { host: '127.0.0.1', port: 0, headers });
    client = new Client(() => listener.url, token);
    const key = await client.post('/v1/api-keys', { name: 'Reader' });
    reader = new Client(() => listener.url, key.body.data.token);
  });
  after(async () => {
    await listener.close();
    await container.unbindAllAsync();
  });

  it('does not pass during the wait', async () => {
    const [response, milliseconds] = await timed(reader.get(path, { Prefer: 'wait=1' }));
    expect(response.status).to.equal(200);
    expect(milliseconds).to.be.above(990);
  });

  it('begins when the wait ends', async () => {
    const waiting = reader.get(path, { Prefer: 'wait=20' });
    await pause(4 * untilItWaits);
    isSlow = true;
    expect((await client.post('/v1/products', tea)).status).to.equal(201);
    const [response, milliseconds] = await timed(waiting);
    expectProblem(response, '503 SERVICE_UNAVAILABLE');
    expect(milliseconds).to.be.within(200, 1_500);
  });
});
