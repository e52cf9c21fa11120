import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { type Database, migratedDatabase } from '../support/postgres.ts';
import { rawPostgres } from '../support/raw-readers.ts';
import { until } from '../support/until.ts';
import type { CountReads } from './harness.ts';
import { describeIdempotency } from './idempotency.ts';
import { inContext } from './in-context.ts';
import { describeStoreWait } from './queue-delay.ts';
import { describeQuotas } from './quotas.ts';
import { describeRaces } from './races.ts';
import { withRecords } from './recorded-migrations.ts';
import { describeReferencedLocks, describeRowLocks } from './row-locks.ts';
import { describeSchema } from './schema.ts';
import { suites } from './suites.ts';
import { describeTogether } from './together.ts';
import { describeUnitOfWork } from './unit-of-work.ts';

/** Counts the deliveries that the server reads for a store of its own: a connection tells of them at its end. */
const countReadsOf =
  ({ url, query }: Pick<Database, 'url' | 'query'>): CountReads =>
  async (run) => {
    const numberIn = async (text: string) => Number((await query(text))[0]?.['number']);
    const connections = () =>
      numberIn('select count(*) as number from pg_stat_activity where datname = current_database()');
    const reads = () =>
      numberIn(
        "select seq_tup_read + idx_tup_fetch as number from pg_stat_user_tables where relname = 'webhook_deliveries'",
      );
    const [before, others] = [await reads(), await connections()];
    const store = await openPostgres({ url });
    await run(store.unitOfWork).finally(() => store.close());
    await until(connections, (open) => open <= others);
    return (await reads()) - before;
  };

const openServer = async () => {
  const database = await migratedDatabase();
  const store = await openPostgres({ url: database.url });
  const raw = rawPostgres(database.url);
  return {
    ...store,
    database,
    openAnother: () => openPostgres({ url: database.url }),
    raw,
    countReads: countReadsOf(database),
    close: async () => {
      await raw.close();
      await store.close();
      await database.drop();
    },
  };
};

for (const suite of suites) suite('PostgreSQL', openServer);
// A deadline adds a statement to each commit, and a timeout to each exchange.
for (const suite of [describeUnitOfWork, describeRaces, describeIdempotency, describeTogether])
  suite('PostgreSQL with a deadline', inContext(openServer));
describeQuotas('PostgreSQL', openServer);
describeRowLocks('PostgreSQL', openServer);
describeRowLocks('PostgreSQL with a deadline', inContext(openServer));
describeReferencedLocks('PostgreSQL', openServer);
// Units of work leave connections for reads.
describeStoreWait('PostgreSQL', openServer, false);
describeSchema('PostgreSQL', withRecords(openServer));
