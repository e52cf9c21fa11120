import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Program } from '../../bootstrap/support/program.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { Client, type Json } from '../support/client.ts';
import { untilItWaits } from '../support/waiting.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';
const startTimeoutMs = 30_000;

describe('Two processes on one PostgreSQL database', function () {
  this.timeout(4 * startTimeoutMs);
  let database: Database;
  const programs: Program[] = [];
  const urls: string[] = [];

  before(async () => {
    database = await freshDatabase();
    const environment = {
      ...{ DATABASE_URL: database.url, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'warn' },
      ...{ ADMIN_API_KEY: token, SHUTDOWN_DRAIN_MS: '0' },
    };
    for (const _ of [1, 2]) {
      const program = new Program('bootstrap/main.mjs', environment);
      programs.push(program);
      const said = await until(
        async () => /^Portico serves (http:\S+)\/v1\n/.exec(program.output)?.[1] ?? program.errors,
        (text) => text !== '',
        startTimeoutMs,
      );
      urls.push(said);
    }
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await database.drop();
  });

  const clientOf = (index: number): Client => new Client(() => urls[index] ?? '', token);
  const newProduct = async (): Promise<Json> =>
    (await clientOf(1).post('/v1/products', { name: 'Tea', price: { amount: 1, currency: 'EUR' } })).body
      .data;

  it('wake a reader of one for an event of the other', async () => {
    const reader = clientOf(0);
    const delays: number[] = [];
    let { id } = await newProduct();
    for (let link = '/v1/events'; delays.length < 5; ) {
      const waiting = reader.get(link, { Prefer: 'wait=20' });
      await pause(untilItWaits);
      let changed = performance.now();
      const { body } = await waiting;
      link = body.links.resume;
      if (!body.data.some(({ subject }: Json) => subject.id === id)) continue;
      const next = reader.get(link, { Prefer: 'wait=20' });
      await pause(untilItWaits);
      ({ id } = await newProduct());
      changed = performance.now();
      const { body: news } = await next;
      delays.push(performance.now() - changed);
      expect(news.data.map(({ subject }: Json) => subject.id)).to.deep.equal([id]);
      link = body.links.resume;
    }
    // The others may have met a machine without time.
    expect(Math.min(...delays), delays.join()).to.be.below(150);
  });

  it('end their waits at SIGTERM, and exit with 0', async () => {
    const [program] = programs;
    const waiting = clientOf(0).get('/v1/events?start=latest', { Prefer: 'wait=20' });
    await pause(untilItWaits);
    const begun = performance.now();
    program?.signal('SIGTERM');
    const { status, body } = await waiting;
    expect([status, body.data]).to.deep.equal([200, []]);
    expect(await program?.ended()).to.equal(0);
    expect(performance.now() - begun).to.be.below(8_000);
  });
});
