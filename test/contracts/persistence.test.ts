import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { MemoryUnitOfWork, openMemory } from '#adapters/persistence/memory/open.ts';
import { emptyTables } from '#adapters/persistence/memory/unit-of-work.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { type Database, freshDatabase } from '../support/postgres.ts';
import { rawMemory, rawPostgres, rawSqlite } from '../support/raw-readers.ts';
import type { Open } from './harness.ts';
import { inContext } from './in-context.ts';
import { describeStoreWait } from './queue-delay.ts';
import { describeQuotas } from './quotas.ts';
import { describeReferencedLocks, describeRowLocks } from './row-locks.ts';
import { describeSchema } from './schema.ts';
import { suites } from './suites.ts';

const openRows: Open = async () => {
  const rows = emptyTables();
  return { ...(await openMemory()), unitOfWork: new MemoryUnitOfWork(rows), raw: rawMemory(rows) };
};

const openFile = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const file = join(folder, 'portico.db');
  const store = await openSqlite({ file });
  const other = new BetterSqlite3(file, { readonly: true });
  return {
    ...store,
    file,
    openAnother: () => openSqlite({ file }),
    raw: rawSqlite(other),
    close: async () => {
      other.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

/** A migrated database, whose copies are made faster than it was. */
let template: Promise<Database> | undefined;

const migrate = async (): Promise<Database> => {
  const database = await freshDatabase();
  await (await openPostgres({ url: database.url })).close();
  return database;
};

after(async () => {
  await (await template)?.drop();
});

const openServer = async () => {
  template ??= migrate();
  const database = await freshDatabase(await template);
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

const adapters: Readonly<Record<string, Open>> = {
  memory: openRows,
  SQLite: openFile,
  'SQLite in memory': () => openSqlite({ file: ':memory:' }),
  PostgreSQL: openServer,
  'PostgreSQL with a deadline': inContext(openServer),
};

for (const [adapter, open] of Object.entries(adapters)) {
  for (const suite of suites) suite(adapter, open);
}

for (const [adapter, open] of Object.entries({ SQLite: openFile, PostgreSQL: openServer })) {
  describeQuotas(adapter, open);
}

describeRowLocks('PostgreSQL', openServer);
describeRowLocks('PostgreSQL with a deadline', inContext(openServer));
describeReferencedLocks('PostgreSQL', openServer);

/** Statements that change and list what a database records of its migrations. */
const migrations = {
  record: (name: string) => `insert into mikro_orm_migrations (name) values ('${name}')`,
  forget: (name: string) => `delete from mikro_orm_migrations where name = '${name}'`,
  list: 'select name from mikro_orm_migrations order by name',
};

describeSchema('SQLite', async () => {
  const { file, schema, close } = await openFile();
  const other = new BetterSqlite3(file);
  return {
    schema,
    record: async (name) => other.exec(migrations.record(name)),
    forget: async (name) => other.exec(migrations.forget(name)),
    recorded: async () => other.prepare<[], string>(migrations.list).pluck().all(),
    close: async () => {
      other.close();
      await close();
    },
  };
});

describeSchema('PostgreSQL', async () => {
  const { database, schema, close } = await openServer();
  return {
    schema,
    record: (name) => database.query(migrations.record(name)),
    forget: (name) => database.query(migrations.forget(name)),
    recorded: async () => (await database.query(migrations.list)).map(({ name }) => String(name)),
    close,
  };
});

describeStoreWait('memory', openMemory, false);
describeStoreWait('SQLite', openFile, false);
describeStoreWait('SQLite in memory', () => openSqlite({ file: ':memory:' }), true);
// Units of work leave connections for reads.
describeStoreWait('PostgreSQL', openServer, false);
