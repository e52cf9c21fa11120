import BetterSqlite3 from 'better-sqlite3';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { countingMemory } from '../support/counted-rows.ts';
import { rawMemory, rawSqlite } from '../support/raw-readers.ts';
import { folderForFile, migratedFile } from '../support/sqlite.ts';
import { mocha, type Open } from './harness.ts';
import { inFlowingTime } from './in-flowing-time.ts';
import { describeIsolation } from './isolation.ts';
import { describeOwnChanges } from './own-changes.ts';
import { describeRaces } from './races.ts';
import { recordedMigrations } from './recorded-migrations.ts';
import { describeSandboxLedger } from './sandbox-ledger.ts';
import { describeSchema } from './schema.ts';
import { suites } from './suites.ts';
import { describeUnitOfWork } from './unit-of-work.ts';

const openRows: Open = async () => {
  const { rows, unitOfWork, countReads } = countingMemory();
  const raw = rawMemory(rows);
  return { ...(await openMemory()), unitOfWork, raw, countReads: countReads(unitOfWork), isSerial: true };
};

const openFile = async () => {
  const { file, remove } = await folderForFile();
  await migratedFile(file);
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
      await remove();
    },
  };
};

for (const [adapter, open] of Object.entries({ memory: openRows, SQLite: openFile })) {
  for (const suite of suites) suite(adapter, open, inFlowingTime(mocha()));
}

const inMemory = () => openSqlite({ file: ':memory:' });

// It differs by its one connection, on which reads wait for units of work.
for (const suite of [
  ...[describeUnitOfWork, describeOwnChanges, describeIsolation, describeRaces, describeSandboxLedger],
])
  suite('SQLite in memory', inMemory, inFlowingTime(mocha()));

describeSchema('SQLite', async () => {
  const { file, schema, close } = await openFile();
  const other = new BetterSqlite3(file);
  return {
    schema,
    record: async (name) => other.exec(recordedMigrations.record(name)),
    forget: async (name) => other.exec(recordedMigrations.forget(name)),
    recorded: async () => other.prepare<[], string>(recordedMigrations.list).pluck().all(),
    close: async () => {
      other.close();
      await close();
    },
  };
});
