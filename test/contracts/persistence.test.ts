import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { openPostgres } from '#adapters/persistence/mikro-orm/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/mikro-orm/sqlite/open.ts';
import { freshDatabase } from '../postgres.ts';
import { describeBuyers } from './buyers.ts';
import { describeCollections } from './collections.ts';
import { describeDuties } from './duties.ts';
import { describeFilters } from './filters.ts';
import type { Open } from './harness.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeIdempotencyKeys } from './idempotency-keys.ts';
import { describePages } from './pages.ts';
import { describeRaces } from './races.ts';
import { describeRoundTrips } from './round-trips.ts';
import { describeSandboxLedger } from './sandbox-ledger.ts';
import { describeSeveral } from './several.ts';
import { describeUnitOfWork } from './unit-of-work.ts';

const openFile: Open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const store = await openSqlite({ file: join(folder, 'portico.db') });
  return {
    ...store,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

const openServer: Open = async () => {
  const database = await freshDatabase();
  const store = await openPostgres({ url: database.url });
  return {
    ...store,
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
};

const adapters: Readonly<Record<string, Open>> = {
  memory: openMemory,
  SQLite: openFile,
  'SQLite in memory': () => openSqlite({ file: ':memory:' }),
  PostgreSQL: openServer,
};

const suites = [
  describeUnitOfWork,
  describeRaces,
  describeCollections,
  describeSeveral,
  describeFilters,
  describeRoundTrips,
  describePages,
  describeIdempotencyKeys,
  describeIdempotency,
  describeDuties,
  describeSandboxLedger,
  describeBuyers,
];

for (const [adapter, open] of Object.entries(adapters)) {
  for (const suite of suites) suite(adapter, open);
}
