import { expect } from 'chai';
import { api } from '#adapters/http/api.ts';
import type { AccessLogEntry, OnRequest } from '#adapters/http/request/access-log-entry.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { UnavailableError } from '#application/errors.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { turnsUntil } from '../../support/turns.ts';
import { certificate } from '../support/certificate.ts';
import { type ApiResponse, Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';
import { requestText, Wire } from '../support/wire.ts';

/** The authenticator throws, which stands for an error anywhere inside the application. */
describe('An unexpected error', () => {
  const config = readConfig({ DATABASE_URL: 'memory:', PORT: '0', LOG_LEVEL: 'silent' });
  const container = containerFor(config);
  const reports: { readonly error: unknown; readonly requestId: string }[] = [];
  let failure: unknown;
  let listener: Listener;

  before(async () => {
    const parts = await container.getAsync(tokens.apiDependencies);
    const headers = commonHeaders(config.crossOrigin);
    const report = (error: unknown, requestId: string) => reports.push({ error, requestId });
    const authenticator = { authenticate: () => Promise.reject(failure) };
    const app = api({ ...parts, authenticator, report }, { ...config, transport: 'private' });
    listener = await listen(app.callback(), { host: '127.0.0.1', port: 0, headers });
  });
  beforeEach(() => {
    reports.length = 0;
  });
  after(async () => {
    await listener.close();
    await container.unbindAllAsync();
  });

  const failWith = async (error: unknown): Promise<ApiResponse> => {
    failure = error;
    return new Client(() => listener.url, 'a-token').get('/v1/products');
  };

  for (const [what, error] of Object.entries({
    'an error': new Error('connect postgres://shop:secret@db failed'),
    'a programming error': new TypeError("Cannot read properties of undefined (reading 'secret')"),
    'a thrown string': 'secret',
    'a thrown undefined': undefined,
    'an error that claims to know its status': Object.assign(new Error('secret'), {
      status: 418,
      expose: true,
    }),
  })) {
    it(`is a 500 without internal details, and is reported: ${what}`, async () => {
      const response = await failWith(error);
      expectProblem(response, '500 INTERNAL_ERROR');
      expect(response.text).not.to.include('secret');
      expect(response.body.error).to.have.all.keys('code', 'message');
      expect(reports).to.deep.equal([{ error, requestId: response.headers.get('X-Request-Id') }]);
    });
  }

  it('is a 503 with Retry-After when the service is unavailable', async () => {
    const error = new UnavailableError('database-unavailable');
    const response = await failWith(error);
    expectProblem(response, '503 SERVICE_UNAVAILABLE');
    expect(response.headers.get('Retry-After')).to.match(/^[1-9]\d*$/);
    expect(reports).to.deep.equal([{ error, requestId: response.headers.get('X-Request-Id') }]);
  });
});

/** Koa reports errors of connections as errors of the application. */
describe('A client that resets its connection', () => {
  const config = readConfig({ DATABASE_URL: 'memory:', PORT: '0', LOG_LEVEL: 'silent' });
  const container = containerFor(config);
  const reports: unknown[] = [];
  const entries: AccessLogEntry[] = [];
  const held = Promise.withResolvers<undefined>();
  /** Requests that have reached the authenticator. */
  let arrived = 0;
  let secure: Listener;
  let plain: Listener;

  before(async () => {
    const parts = await container.getAsync(tokens.apiDependencies);
    const report = (error: unknown) => reports.push(error);
    const authenticator = {
      authenticate: () => {
        arrived += 1;
        return held.promise;
      },
    };
    const onRequest: OnRequest = () => (entry) => entries.push(entry);
    const app = api({ ...parts, authenticator, report, onRequest }, { ...config, transport: 'private' });
    const headers = commonHeaders(config.crossOrigin);
    const options = { host: '127.0.0.1', port: 0, headers };
    secure = await listen(app.callback(), { ...options, tls: certificate });
    plain = await listen(app.callback(), options);
  });
  beforeEach(() => {
    reports.length = 0;
    entries.length = 0;
    arrived = 0;
  });
  after(async () => {
    held.resolve(undefined);
    await secure.close();
    await plain.close();
    await container.unbindAllAsync();
  });

  const expectAborted = async (): Promise<void> => {
    await turnsUntil(() => entries.length === 1);
    expect(entries[0]).to.include({ status: 499, ending: 'aborted' });
    expect(reports).to.deep.equal([]);
  };

  for (const [over, listener] of [
    ['HTTP', () => plain],
    ['HTTPS', () => secure],
  ] as const)
    it(`is logged as aborted, and not reported, over ${over}`, async () => {
      const wire = await Wire.open(listener().url, certificate.cert);
      wire.write(requestText('GET /v1/products', ['Authorization: Bearer a-token']));
      await turnsUntil(() => arrived === 1);
      wire.reset();
      await expectAborted();
    });
});
