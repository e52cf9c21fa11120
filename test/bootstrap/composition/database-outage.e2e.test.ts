import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Json } from '../../http/support/client.ts';
import { PostgresServer } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';
import { type Server, startServer } from '../support/server.ts';

describe('A server whose database is away for some seconds', () => {
  let database: PostgresServer;
  let server: Server;
  before(async () => {
    database = await PostgresServer.make();
    await database.start();
    await (await openPostgres({ url: database.url })).close();
    server = await startServer({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', RECONCILE_AFTER_MS: '1000' });
  });
  after(async () => {
    await server?.program.kill();
    await database?.remove();
  });

  const lines = (): readonly Json[] =>
    server.program.errors
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));

  it('logs that once, and when it is back', async () => {
    await database.stop();
    for (let round = 0; round < 20; round += 1) {
      await server.client.get('/v1/products').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await database.start();
    await until(
      async () => lines().at(-1)?.msg,
      (message) => message === 'The database is available again.',
      40_000,
    );
    const messages = lines().map(({ msg }) => msg);
    expect(messages.length, messages.join('\n')).to.be.at.most(4);
    expect(lines().at(-1)).to.have.property('failures').that.is.at.least(20);
  });
});
