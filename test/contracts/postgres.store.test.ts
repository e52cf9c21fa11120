import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { migratedDatabase } from '../support/postgres.ts';
import { rawPostgres } from '../support/raw-readers.ts';
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

const openServer = async () => {
  const database = await migratedDatabase();
  const store = await openPostgres({ url: database.url });
  const raw = rawPostgres(database.url);
  return {
    ...store,
    database,
    openAnother: () => openPostgres({ url: database.url }),
    raw,
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
