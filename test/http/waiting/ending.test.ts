import { expect } from 'chai';
import { api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import type { WaitingRequests } from '#adapters/http/waiting/waiting-requests.ts';
import { sleep } from '#adapters/support/time.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import { containerFor } from '#bootstrap/composition/container.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';
import { Service } from '../support/service.ts';
import { tea } from '../support/shop.ts';
import { observed, untilWaiting } from '../support/waiting.ts';

const path = '/v1/events?start=latest';
const patient = { Prefer: 'wait=20' };

describe('A request that waits while the service shuts down', () => {
  let service: Service;
  let client: Client;
  let closing: Promise<void> | undefined;
  beforeEach(async () => {
    service = new Service(observed, 'memory');
    await service.startInSimulatedTime();
    client = service.operator;
  });
  afterEach(async () => {
    await closing;
    await service.end();
  });

  it('gets at once what there is then', async () => {
    const waiting = Promise.all([1, 2, 3].map(() => client.get(path, patient)));
    await untilWaiting(service, 3);
    closing = service.stop();
    const [responses, milliseconds] = await service.time.during(waiting);
    for (const { status, body, headers } of responses) {
      expect(status).to.equal(200);
      expect(body.data).to.deep.equal([]);
      expect(headers.get('Preference-Applied')).to.equal('wait=20');
      expect(headers.get('Connection')).to.equal('close');
    }
    expect(milliseconds).to.be.below(500);
  });

  it('ends when the shutdown is announced, and none begins from then on', async () => {
    const waiting = client.get(path, patient);
    await untilWaiting(service, 1);
    closing = service.stop(1_000);
    expect((await service.time.during(waiting))[1]).to.be.below(500);
    const [late, milliseconds] = await service.time.during(client.get(path, patient));
    expect(late.status).to.equal(200);
    expect(late.headers.has('Preference-Applied')).to.equal(false);
    expect(milliseconds).to.be.below(500);
  });
});

describe('A request that waits for longer than REQUEST_TIMEOUT_MS', () => {
  it('is served, because its deadline does not pass during the wait', async () => {
    const service = new Service({ ...observed, REQUEST_TIMEOUT_MS: '1000' }, 'memory');
    await service.startInSimulatedTime();
    try {
      const [{ status }, milliseconds] = await service.time.during(
        service.operator.get(path, { Prefer: 'wait=3' }),
      );
      expect(status).to.equal(200);
      expect(milliseconds).to.be.within(2_990, 3_300);
    } finally {
      await service.end();
    }
  });
});

/** The second authentication of a request, behind its wait, stands for slow work. */
describe('The deadline of a request that waits', () => {
  let time: FlowingTime;
  let close: () => Promise<void>;
  let listener: Listener;
  let waitingRequests: WaitingRequests;
  let isSlow = false;
  let client: Client;
  let reader: Client;
  before(async () => {
    time = new FlowingTime();
    const token = 'an-operator-key-that-is-long-enough-for-all';
    const settings = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };
    const config = readConfig({ ...settings, ADMIN_API_KEY: token });
    const container = containerFor(config);
    close = () => container.unbindAllAsync();
    waitingRequests = await container.getAsync(tokens.waitingRequests);
    const parts = await container.getAsync(tokens.apiDependencies);
    const authenticator: Authenticator = {
      authenticate: async (shown) => {
        if (isSlow && shown === reader.token) await sleep(60_000);
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
    await close();
    time.end();
  });

  it('does not pass during the wait, and begins when that ends: ten seconds', async () => {
    const waiting = reader.get(path, { Prefer: 'wait=30' });
    await time.until(
      async () => waitingRequests.count,
      (count) => count === 1,
    );
    await time.pass(15_000);
    expect(waitingRequests.count).to.equal(1);
    isSlow = true;
    expect((await client.post('/v1/products', tea)).status).to.equal(201);
    const [response, milliseconds] = await time.during(waiting);
    expectProblem(response, '503 SERVICE_UNAVAILABLE');
    expect(milliseconds).to.be.within(9_900, 10_300);
  });
});
