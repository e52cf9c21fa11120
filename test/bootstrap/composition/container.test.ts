import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import type { Timing } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { credential, jsonText, requestText, Wire } from '../../http/support/wire.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { freePort, isFree, leave, occupy, portOf } from '../support/ports.ts';
import { Program } from '../support/program.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';
const usual = {
  DATABASE_URL: 'memory:',
  PORT: '0',
  OPS_PORT: '0',
  LOG_LEVEL: 'silent',
  ADMIN_API_KEY: token,
};

const start = (environment: Readonly<Record<string, string>> = {}, timing?: Timing): Promise<App> =>
  startApp(readConfig({ ...usual, ...environment }), { timing });

/** Settings with which events of the payment provider are received. */
const receiving = (port: number) => ({
  ...{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
  PROVIDER_EVENTS_PORT: `${port}`,
});

describe('Closing the service', () => {
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
    await kept.write(requestText('GET /v1/products', [credential({ token })])).answer();
    const before = performance.now();
    await app.close();
    expect(performance.now() - before).to.be.below(2_000);
    await Promise.all([silent.closed(), kept.closed()]);
  });

  it('lets requests in flight finish, and closes their connections after the response', async () => {
    const app = await start();
    const wire = await Wire.open(app.url);
    const bytes = jsonText(
      'POST /v1/products',
      [credential({ token })],
      '{"name":"Tea","price":{"amount":1,"currency":"EUR"}}',
    );
    wire.write(bytes.slice(0, -10));
    await pause(50);
    const closing = app.close();
    await pause(50);
    const answer = await wire.write(bytes.slice(-10)).answer();
    expect(answer.status).to.equal(201);
    expect(answer.headers.get('Connection')).to.equal('close');
    await closing;
    await wire.closed();
  });

  it('aborts a request that never finishes with 503, after the drain timeout', async () => {
    // `bootstrap/process/shutdown.e2e.test.ts` tests the default.
    const app = await start({}, { apiDrainTimeoutMs: 600 });
    const wire = await Wire.open(app.url);
    wire.write(jsonText('POST /v1/products', [credential({ token })], '{"name":"Tea"').slice(0, -5));
    await pause(50);
    const before = performance.now();
    await app.close();
    expect(performance.now() - before).to.be.within(250, 3_000);
    expect((await wire.answer()).status).to.equal(503);
    await wire.closed();
  });
});

describe('No resource stays open', function () {
  // Each test starts a process, and the machine may be busy.
  this.timeout(60_000);
  let folder: string;
  let database: Database;
  let taken: Server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-container-'));
    database = await freshDatabase();
    taken = await occupy();
  });
  after(async () => {
    await leave(taken);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (environment: Readonly<Record<string, string>>): Promise<string> => {
    const program = new Program('test/bootstrap/composition/open-and-close.ts', { ...usual, ...environment });
    await program.ended();
    const [outcome, kept] = program.output.split(' ');
    // Idle connections close by themselves after a while, so the test must end sooner.
    expect(Number(kept)).to.be.below(2_000);
    return `${outcome} ${program.code}${program.errors}`;
  };

  it('after the service has closed, so that the process ends by itself', async () => {
    const ends = await Promise.all([
      run({ OPS_PORT: `${await freePort()}` }),
      run({ DATABASE_URL: `sqlite:${join(folder, 'a.db')}` }),
      run({ DATABASE_URL: database.url }),
    ]);
    expect(ends).to.deep.equal(['closed 0', 'closed 0', 'closed 0']);
  });

  it('after a start has failed', async () => {
    const port = await freePort();
    const opsTaken = { PORT: `${port}`, OPS_PORT: `${portOf(taken)}` };
    const ends = await Promise.all([
      run(opsTaken),
      run({ PORT: `${portOf(taken)}`, DATABASE_URL: `sqlite:${join(folder, 'b.db')}` }),
      run({ PORT: `${portOf(taken)}`, DATABASE_URL: database.url }),
      run({ DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' }),
    ]);
    expect(ends).to.deep.equal(['failed 0', 'failed 0', 'failed 0', 'failed 0']);
    const error = await start(opsTaken).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(error).to.match(/^OPS_PORT \d+ is taken: .* \(EADDRINUSE\)\.$/);
    const eventsTaken = await start(receiving(portOf(taken))).catch(({ message }: Error) => message);
    expect(eventsTaken).to.match(/^PROVIDER_EVENTS_PORT \d+ is taken: .* \(EADDRINUSE\)\.$/);
    expect(await isFree(port)).to.equal(true);
  });
});
