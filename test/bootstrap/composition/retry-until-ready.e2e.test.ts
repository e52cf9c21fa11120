import { expect } from 'chai';
import { Client } from 'pg';
import { PostgresServer } from '#test/support/postgres-server.ts';
import { until } from '#test/support/until.ts';
import { startServer } from '../support/server.ts';

describe('A start while PostgreSQL recovers', () => {
  let database: PostgresServer;
  before(async () => {
    // It looks for each part of an archive that has nothing, and for a second each time.
    database = await PostgresServer.make(['restore_command=sleep 1; false', 'hot_standby=off']);
  });
  after(() => database.remove());

  const codeOfConnecting = async (): Promise<string> => {
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return 'connected';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  };

  it('waits until the database serves, and says so', async () => {
    await database.recoverAtNextStart();
    await database.start(false);
    await until(codeOfConnecting, (code) => code === '57P03');
    const { program, client } = await startServer({ DATABASE_URL: database.url });
    try {
      await program.printed(
        /"reason":"It is starting up, shutting down or recovering\.","msg":"The database is not ready\. The start waits for it\."/,
        { on: 'errors' },
      );
      expect((await client.get('/v1/products')).status).to.equal(200);
    } finally {
      await program.kill();
    }
  });
});
