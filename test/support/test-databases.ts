import { keptKindNames, type StoreKindName, storeKinds } from '#bootstrap/config/store-kinds.ts';
import { freshMariaDb, migratedMariaDb } from './mariadb.ts';
import { mariadbIsMissing } from './mariadb-server.ts';
import { freshDatabase, migratedDatabase } from './postgres.ts';
import { folderForFile, migratedFile } from './sqlite.ts';

/** A database for one test or suite. */
export interface TestDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

interface Creator {
  readonly empty: () => Promise<TestDatabase>;
  readonly migrated: () => Promise<TestDatabase>;
}

const inMemory = async (): Promise<TestDatabase> => ({ url: 'memory:', remove: async () => undefined });

const onServer = async (
  created: Promise<{ readonly url: string; drop(): Promise<void> }>,
): Promise<TestDatabase> => {
  const { url, drop } = await created;
  return { url, remove: drop };
};

/** One for each kind of store, so that a new kind does not compile without it. */
const creators: Readonly<Record<StoreKindName, Creator>> = {
  memory: { empty: inMemory, migrated: inMemory },

  sqlite: {
    empty: async () => {
      const { file, remove } = await folderForFile();
      return { url: `sqlite:${file}`, remove };
    },
    migrated: async () => {
      const { file, remove } = await folderForFile();
      return { url: `sqlite:${await migratedFile(file)}`, remove };
    },
  },

  postgres: {
    empty: () => onServer(freshDatabase()),
    migrated: () => onServer(migratedDatabase()),
  },

  mariadb: {
    empty: () => onServer(freshMariaDb()),
    migrated: () => onServer(migratedMariaDb()),
  },
};

/** An empty database, as before a first start. */
export const createDatabase = (kind: StoreKindName): Promise<TestDatabase> => creators[kind].empty();

/** A database with all tables and no rows, in a fraction of the time that migrations take. */
export const createMigrated = (kind: StoreKindName): Promise<TestDatabase> => creators[kind].migrated();

/** The name of the product, for titles of tests. */
export const productOf = (kind: StoreKindName): string =>
  storeKinds.find(({ name }) => name === kind)?.product ?? kind;

/** Every kind of store that can be tested here, for tests that run on each. The tests of the adapter say why one cannot. */
export const allKinds: readonly StoreKindName[] = storeKinds
  .map(({ name }) => name)
  .filter((name) => name !== 'mariadb' || mariadbIsMissing === undefined);

/** Whether its data outlives the process. */
export const isKept = (kind: StoreKindName): boolean => keptKindNames().some((name) => name === kind);

/** Those that need no server. */
export const localKinds: readonly StoreKindName[] = ['memory', 'sqlite'];

/** Those that need one. */
export const serverKinds: readonly StoreKindName[] = allKinds.filter((kind) => !localKinds.includes(kind));
