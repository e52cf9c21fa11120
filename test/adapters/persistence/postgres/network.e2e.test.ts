import { expect } from 'chai';
import { type Server, startServer } from '#test/bootstrap/support/server.ts';
import { euros } from '#test/http/support/shop.ts';
import { Network } from '#test/support/network.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';

const tea = { name: 'Tea', price: euros(350) };

describe('A server whose network to PostgreSQL drops every packet', () => {
  let database: Database;
  let network: Network;
  let server: Server;
  before(async () => {
    database = await migratedDatabase();
    network = await Network.to(database.url);
    server = await startServer({ DATABASE_URL: network.through(database.url) });
  });
  after(async () => {
    await server?.program.kill();
    await network?.close();
    await database?.drop();
  });

  const statuses = async (): Promise<number[]> => {
    const { client } = server;
    const responses = await Promise.all([client.get('/v1/products'), client.post('/v1/products', tea)]);
    return responses.map(({ status }) => status);
  };

  it('responds with 503, serves again once packets pass, and exits although they are dropped again', async () => {
    expect(await statuses()).to.deep.equal([200, 201]);
    network.swallow();
    expect(await statuses()).to.deep.equal([503, 503]);
    await network.pass();
    await until(statuses, (all) => all.join() === '200,201', 30_000);
    network.swallow();
    server.program.signal('SIGTERM');
    expect(await server.program.ended()).to.equal(0);
  });
});
