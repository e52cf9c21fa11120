import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { credential, jsonText, requestText, Wire } from '../../http/support/wire.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { freePort, isFree, leave, occupy, portOf } from '../support/ports.ts';
import { operatorKey, serverSettings } from '../support/server-settings.ts';

const usual = { ...serverSettings, DATABASE_URL: 'memory:', LOG_LEVEL: 'silent', SHUTDOWN_DRAIN_MS: '2000' };

const start = (environment: Readonly<Record<string, string>> = {}): Promise<App> =>
  startApp(readConfig({ ...usual, ...environment }));

/** Settings with which events of the payment provider are received. */
const receiving = (port: number) => ({
  ...{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
  PROVIDER_EVENTS_PORT: `${port}`,
});

describe('Closing the service', () => {
  let time: SimulatedTime | undefined;
  afterEach(() => {
    time?.end();
    time = undefined;
  });

  /** From here on the time of timers is simulated. Connections go on by themselves. */
  const simulate = (): SimulatedTime => {
    time = new SimulatedTime();
    return time;
  };

  it('releases its ports, so that it can start there again', async () => {
    const [port, opsPort, eventsPort] = [await freePort(), await freePort(), await freePort()];
    const free = async () => [await isFree(port), await isFree(opsPort), await isFree(eventsPort)];
    for (const _ of [1, 2]) {
      const app = await start({ PORT: `${port}`, OPS_PORT: `${opsPort}`, ...receiving(eventsPort) });
      expect(await free()).to.deep.equal([false, false, false]);
      await app.close();
      expect(await free()).to.deep.equal([true, true, true]);
    }
  });

  it('waits neither for silent nor for idle keep-alive connections', async () => {
    const app = await start();
    const silent = await Wire.open(app.url);
    const kept = await Wire.open(app.url);
    await kept.write(requestText('GET /v1/products', [credential({ token: operatorKey })])).answer();
    await simulate().settle(app.close(), 5_000, 1);
    await Promise.all([silent.closed(), kept.closed()]);
  });

  it('lets requests in flight finish, and closes their connections after the response', async () => {
    const app = await start();
    const wire = await Wire.open(app.url);
    const bytes = jsonText(
      'POST /v1/products',
      [credential({ token: operatorKey })],
      '{"name":"Tea","price":{"amount":1,"currency":"EUR"}}',
    );
    wire.write(bytes.slice(0, -10));
    const simulated = simulate();
    await simulated.pass(50);
    const closing = app.close();
    await simulated.pass(1_000);
    const answer = await wire.write(bytes.slice(-10)).answer();
    expect(answer.status).to.equal(201);
    expect(answer.headers.get('Connection')).to.equal('close');
    await simulated.settle(closing, 5_000, 1);
    await wire.closed();
  });
});

describe('A start', () => {
  it('fails in one line when a port is taken, and leaves the other ports free', async () => {
    const taken = await occupy();
    const port = await freePort();
    const opsTaken = { PORT: `${port}`, OPS_PORT: `${portOf(taken)}` };
    const error = await start(opsTaken).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(error).to.match(/^OPS_PORT \d+ is taken: .* \(EADDRINUSE\)\.$/);
    const eventsTaken = await start(receiving(portOf(taken))).catch(({ message }: Error) => message);
    expect(eventsTaken).to.match(/^PROVIDER_EVENTS_PORT \d+ is taken: .* \(EADDRINUSE\)\.$/);
    expect(await isFree(port)).to.equal(true);
    await leave(taken);
  });
});
