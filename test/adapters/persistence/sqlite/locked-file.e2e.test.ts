import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { freePort } from '#test/bootstrap/support/ports.ts';
import { type Server, startServer } from '#test/bootstrap/support/server.ts';
import { euros } from '#test/http/support/shop.ts';
import { Metrics } from '#test/support/metrics.ts';
import { migratedFile } from '#test/support/sqlite.ts';
import { temporaryFolder } from '#test/support/temporary.ts';
import { until } from '#test/support/until.ts';

const tea = { name: 'Tea', price: euros(350) };

describe('A server whose SQLite file another process has locked', () => {
  const inFolder = temporaryFolder();
  let server: Server;
  let opsUrl: string;
  let other: BetterSqlite3.Database;
  before(async () => {
    const file = await migratedFile(inFolder('portico.db'));
    const opsPort = await freePort();
    opsUrl = `http://127.0.0.1:${opsPort}`;
    server = await startServer({ DATABASE_URL: `sqlite:${file}`, OPS_PORT: `${opsPort}` });
    other = new BetterSqlite3(file, { timeout: 10_000 });
  });
  afterEach(() => {
    if (other.inTransaction) other.exec('rollback');
  });
  after(async () => {
    await server?.program.kill();
    other?.close();
  });

  it('makes a change that has arrived meanwhile as soon as the file is free', async () => {
    other.exec('begin immediate');
    const adding = server.client.post('/v1/products', tea);
    const inFlight = async () => (await Metrics.of(opsUrl)).value('portico_http_requests_in_flight');
    await until(inFlight, (count) => count === 1);
    other.exec('rollback');
    expect((await adding).status).to.equal(201);
  });

  it('rejects changes with 503 after a while, serves reads meanwhile, and changes once it is free', async () => {
    const { client } = server;
    other.exec('begin immediate');
    const adding = client.post('/v1/products', tea);
    expect((await client.get('/v1/products')).status).to.equal(200);
    expect((await adding).status).to.equal(503);
    other.exec('rollback');
    await until(
      async () => (await client.post('/v1/products', tea)).status,
      (status) => status === 201,
    );
  });
});
