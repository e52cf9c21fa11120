import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { noon } from '#test/contracts/samples.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

const keys = 200_000;

/** Deleting a row writes at least 50 bytes of log. */
const maxBytesPerKey = 20;

describe('Expired idempotency keys on PostgreSQL', function () {
  this.timeout(60_000);

  let database: Database;
  let store: Store;
  before(async () => {
    database = await freshDatabase();
    store = await openPostgres({ url: database.url });
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  /** The position in the log of the whole server, in bytes: other tests must not run beside this one. */
  const lsn = async (): Promise<number> => {
    const rows = await database.query("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes");
    return Number(rows.map(({ bytes }) => bytes)[0]);
  };

  it('are dropped by the partition, which writes less log than deleting rows', async () => {
    await database.query(
      'insert into idempotency_keys (user_id, key, role, fingerprint, created_at, answer) ' +
        `select gen_random_uuid(), n::text, 'customer', '', '${noon}', repeat('a', 500) from generate_series(1, ${keys}) n`,
    );
    await database.query('checkpoint');
    const before = await lsn();
    await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.deleteExpired(noon));
    expect((await lsn()) - before).to.be.lessThan(keys * maxBytesPerKey);
    expect(await database.query('select from idempotency_keys')).to.have.length(0);
  });
});
