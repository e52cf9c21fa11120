import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { maxAttempts } from '#adapters/persistence/mariadb/unit-of-work.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { describeMariaDb, type MariaDbDatabase, migratedMariaDb } from '../support/mariadb.ts';
import { rawMariaDb } from '../support/raw-readers.ts';
import type { CountReads } from './harness.ts';
import { describeIdempotency } from './idempotency.ts';
import { inContext } from './in-context.ts';
import { describeStoreWait } from './queue-delay.ts';
import { describeQuotas } from './quotas.ts';
import { describeRaces } from './races.ts';
import { withRecords } from './recorded-migrations.ts';
import { describeRowLocks } from './row-locks.ts';
import { describeSchema } from './schema.ts';
import { suites } from './suites.ts';
import { describeUnitOfWork } from './unit-of-work.ts';

/** Counts the deliveries that the server reads, by its statistics of tables. */
const countReadsOf =
  ({ unitOfWork }: Pick<Store, 'unitOfWork'>, { query }: Pick<MariaDbDatabase, 'query'>): CountReads =>
  async (run) => {
    const reads = async () => {
      const [row] = await query(
        "select coalesce(sum(rows_read), 0) as number from information_schema.table_statistics where table_schema = database() and table_name = 'webhook_deliveries'",
      );
      return Number(row?.['number']);
    };
    await query('set global userstat = 1');
    const before = await reads();
    await run(unitOfWork);
    return (await reads()) - before;
  };

const openServer = async () => {
  const database = await migratedMariaDb();
  const { url } = database;
  const store = await openMariaDb({ url });
  const raw = rawMariaDb(url);
  return {
    ...store,
    database,
    maxAttempts,
    openAnother: () => openMariaDb({ url }),
    raw,
    countReads: countReadsOf(store, database),
    close: async () => {
      await raw.close();
      await store.close();
    },
  };
};

describeMariaDb('MariaDB keeps the contracts', () => {
  for (const suite of suites) suite('MariaDB', openServer);
  for (const suite of [describeUnitOfWork, describeRaces, describeIdempotency])
    suite('MariaDB with a deadline', inContext(openServer));
  describeQuotas('MariaDB', openServer);
  describeRowLocks('MariaDB', openServer);
  describeRowLocks('MariaDB with a deadline', inContext(openServer));
  // Units of work leave connections for reads.
  describeStoreWait('MariaDB', openServer, false);
  describeSchema('MariaDB', withRecords(openServer));
});
