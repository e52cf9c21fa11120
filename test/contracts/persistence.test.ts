import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { freshDatabase } from '../support/postgres.ts';
import type { Open } from './harness.ts';
import { inContext } from './in-context.ts';
import { describeStoreWait } from './queue-delay.ts';
import { describeQuotas } from './quotas.ts';
import { describeRowLocks } from './row-locks.ts';
import { suites } from './suites.ts';

const openFile = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const file = join(folder, 'portico.db');
  const store = await openSqlite({ file });
  return {
    ...store,
    openAnother: () => openSqlite({ file }),
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

const openServer = async () => {
  const database = await freshDatabase();
  const store = await openPostgres({ url: database.url });
  return {
    ...store,
    openAnother: () => openPostgres({ url: database.url }),
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
  'PostgreSQL in groups': inContext(openServer),
};

for (const [adapter, open] of Object.entries(adapters)) {
  for (const suite of suites) suite(adapter, open);
}

for (const [adapter, open] of Object.entries({ SQLite: openFile, PostgreSQL: openServer })) {
  describeQuotas(adapter, open);
}

describeRowLocks('PostgreSQL', openServer);

describeStoreWait('SQLite', openFile, false);
describeStoreWait('SQLite in memory', () => openSqlite({ file: ':memory:' }), true);
describeStoreWait('PostgreSQL', openServer, true);
describeStoreWait('PostgreSQL in groups', inContext(openServer), true);
