import { expect } from 'chai';
import { freePort } from '../../bootstrap/support/ports.ts';
import { Program } from '../../lab/program.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { Client, type Json } from '../support/client.ts';
import { untilWaitingAt } from '../support/waiting.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';
const startTimeoutMs = 30_000;

describe('Two processes on one PostgreSQL database', function () {
  this.timeout(4 * startTimeoutMs);
  let database: Database;
  const programs: Program[] = [];
  const urls: string[] = [];
  let opsPort: number;

  before(async () => {
    database = await freshDatabase();
    opsPort = await freePort();
    const environment = {
      ...{ DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'warn' },
      ...{ ADMIN_API_KEY: token, SHUTDOWN_DRAIN_MS: '0' },
    };
    for (const port of [opsPort, 0]) {
      const program = new Program('bootstrap/main.mjs', {
        environment: { ...environment, OPS_PORT: `${port}` },
      });
      programs.push(program);
      const [, url = ''] = await program.printed(/^Portico serves (http:\S+)\/v1\n/);
      urls.push(url);
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

  /** Resolves once a request waits in the first process. */
  const untilItWaits = (): Promise<void> => untilWaitingAt(`http://127.0.0.1:${opsPort}`, 1);

  it('wake a reader of one for an event of the other', async () => {
    const reader = clientOf(0);
    const seen = await newProduct();
    let link = '/v1/events';
    for (let isBehind = true; isBehind; ) {
      const { body } = await reader.get(link, { Prefer: 'wait=20' });
      link = body.links.resume;
      isBehind = !body.data.some(({ subject }: Json) => subject.id === seen.id);
    }
    const waiting = reader.get(link, { Prefer: 'wait=30' });
    await untilItWaits();
    const { id } = await newProduct();
    expect((await waiting).body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([id]);
  });

  it('end their waits at SIGTERM, and exit with 0', async () => {
    const [program] = programs;
    const waiting = clientOf(0).get('/v1/events?start=latest', { Prefer: 'wait=30' });
    await untilItWaits();
    program?.signal('SIGTERM');
    const { status, body } = await waiting;
    expect([status, body.data]).to.deep.equal([200, []]);
    expect(await program?.ended()).to.equal(0);
  });
});
