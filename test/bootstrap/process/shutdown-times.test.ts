import { expect } from 'chai';
import type { Container } from 'inversify';
import { endOfTurn } from '#adapters/support/time.ts';
import { closeInTime } from '#bootstrap/cli/commands/start.ts';
import { endInTime, untilThreadsAreIdle } from '#bootstrap/cli/main.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { shutdown } from '#bootstrap/composition/shutdown.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { credential, jsonText, Wire } from '../../http/support/wire.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';
const { drain } = readConfig({}).times;

/** A close that never ends. */
const hang = (): Promise<never> => new Promise(() => undefined);

describe('The time of a shutdown', () => {
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  /** Lets time pass until the work has ended. @returns how long that took, in milliseconds */
  const durationOf = async (work: Promise<unknown>): Promise<number> => {
    const begun = time.now;
    let hasEnded = false;
    void work.finally(() => {
      hasEnded = true;
    });
    // The work sets its first timer before any time passes.
    await endOfTurn();
    while (!hasEnded) await time.pass(100, 100);
    return time.now - begun;
  };

  it('is bounded for each part, so that one that hangs keeps no other one open', async () => {
    const parts = [
      [tokens.apiListener, 6_100],
      [tokens.pagesListener, 6_100],
      [tokens.providerEventsListener, 6_100],
      [tokens.backgroundWorker, 6_100],
      [tokens.webhookWorker, 3_000],
      [tokens.certificate, 200],
      [tokens.opsListener, 400],
      [tokens.rateLimiter, 300],
      [tokens.clock, 300],
      [tokens.eventNumbering, 500],
      [tokens.store, 1_200],
    ] as const;
    for (const [part, expected] of parts) {
      const closed: unknown[] = [];
      const container = {
        getAsync: async () => new AbortController(),
        unbindAsync: (token: unknown) => (token === part ? hang() : Promise.resolve(closed.push(token))),
        unbindAllAsync: async () => undefined,
      } as unknown as Container;
      const took = await durationOf(shutdown(container));
      expect([part, took]).to.deep.equal([part, expected]);
      expect(closed).to.have.lengthOf(parts.length - 1);
    }
  });

  it('is bounded as a whole, though every part hangs', async () => {
    const container = {
      getAsync: async () => new AbortController(),
      ...{ unbindAsync: hang, unbindAllAsync: hang },
    } as unknown as Container;
    expect(await durationOf(shutdown(container, drain))).to.equal(drain + 8_400);
  });

  it('is less than the ten seconds that platforms give, with the default drain', async () => {
    expect(await durationOf(closeInTime({ close: hang }, drain))).to.equal(9_900);
    expect(await durationOf(closeInTime({ close: hang }))).to.equal(7_900);
  });

  it('is two seconds more where the last traces cannot be exported', async () => {
    expect(await durationOf(endInTime({ end: hang }))).to.equal(2_000);
  });

  it('is a second more where a thread of Node hangs, which the process then leaves', async () => {
    expect(await durationOf(untilThreadsAreIdle(() => true))).to.equal(1_000);
  });

  it('is 5.6 seconds for a client to finish its request, which then gets 503', async () => {
    time.end();
    const settings = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };
    const app = await startApp(readConfig({ ...settings, ADMIN_API_KEY: token }));
    const wire = await Wire.open(app.url);
    wire.write(jsonText('POST /v1/products', [credential({ token })], '{}').slice(0, -1));
    expect((await fetch(`${app.url}/v1/products`)).status).to.equal(401);
    let status: number | undefined;
    const answered = wire.answer().then((answer) => {
      status = answer.status;
    });
    time = new SimulatedTime();
    const closed = closeInTime(app);
    await time.pass(5_500, 100);
    expect(status).to.equal(undefined);
    await time.pass(200, 100);
    await answered;
    expect(status).to.equal(503);
    await wire.closed();
    await durationOf(closed);
  });
});
