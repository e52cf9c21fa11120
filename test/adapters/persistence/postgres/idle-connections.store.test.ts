import { expect } from 'chai';
import { Pool, type PoolClient } from 'pg';
import { evictIdle } from '#adapters/persistence/postgres/connection/pool-sockets.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

describe('Idle connections that are evicted', () => {
  let database: Database;
  let pool: Pool;
  before(async () => {
    database = await freshDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    pool = new Pool({ connectionString: database.url, max: 2, connectionTimeoutMillis: 1_000 });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    for (const client of await Promise.all([pool.connect(), pool.connect()])) client.release();
  });
  afterEach(() => pool.end());

  const idOf = async (client: Pool | PoolClient): Promise<number> =>
    (await client.query<{ id: number }>('select pg_backend_pid() as id')).rows[0]?.id ?? 0;

  const ids = async (): Promise<number[]> => {
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    const found = await Promise.all(clients.map(idOf));
    for (const client of clients) client.release();
    return found;
  };

  it('are replaced, and only once however many callers notice at once', async () => {
    const before = await ids();
    for (let count = 0; count < 10; count += 1) evictIdle(pool);
    const behind = await ids();
    expect(behind).to.not.include.oneOf(before);
    await endOfTurn();
    expect(await ids()).to.have.members(behind);
  });

  it('go to the requests that wait for them already', async () => {
    const before = await ids();
    const time = new SimulatedTime();
    try {
      const requested = [pool.connect(), pool.connect()];
      evictIdle(pool);
      const clients = await Promise.all(requested);
      // Longer than the pool's connection timeout.
      await time.pass(1_200);
      for (const client of clients) client.release();
    } finally {
      time.end();
    }
    expect(await ids()).to.have.members(before);
  });

  it('leave out connections that are released meanwhile', async () => {
    const before = await ids();
    const requested = [pool.connect(), pool.connect()];
    evictIdle(pool);
    for (const client of await Promise.all(requested)) {
      await endOfTurn();
      client.release();
    }
    await endOfTurn();
    expect(await ids()).to.have.members(before);
  });
});
