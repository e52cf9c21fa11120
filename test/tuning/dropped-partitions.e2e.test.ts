import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { noon } from '#test/contracts/samples.ts';
import { PostgresServer } from '#test/support/postgres-server.ts';

const keys = 200_000;

/** Deleting a row writes at least 50 bytes of log. */
const maxBytesPerKey = 20;

describe('Expired idempotency keys on PostgreSQL', () => {
  /** Of its own, because the position in the log is that of the whole server. */
  let server: PostgresServer;
  let store: Store;
  let client: Client;
  before(async () => {
    server = await PostgresServer.make();
    await server.start();
    store = await openPostgres({ url: server.url });
    client = new Client({ connectionString: server.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await store?.close();
    await server.remove();
  });

  const query = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;

  /** The position in the log, in bytes. */
  const lsn = async (): Promise<number> => {
    const rows = await query("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes");
    return Number(rows.map(({ bytes }) => bytes)[0]);
  };

  it('are dropped by the partition, which writes less log than deleting rows', async () => {
    await query(
      'insert into idempotency_keys (user_id, key, role, fingerprint, created_at, answer) ' +
        `select gen_random_uuid(), n::text, 'customer', '', '${noon}', repeat('a', 500) from generate_series(1, ${keys}) n`,
    );
    await query('checkpoint');
    const before = await lsn();
    await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.deleteExpired(noon));
    expect((await lsn()) - before).to.be.lessThan(keys * maxBytesPerKey);
    expect(await query('select from idempotency_keys')).to.have.length(0);
  });
});
