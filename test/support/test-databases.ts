import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptKindNames, type StoreKindName, storeKinds } from '#bootstrap/config/store-kinds.ts';
import { freshMariaDb } from './mariadb.ts';
import { mariadbIsMissing } from './mariadb-server.ts';
import { freshDatabase } from './postgres.ts';

/** An empty database for one test or suite. */
export interface TestDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** One for each kind of store, so that a new kind does not compile without it. */
const creators: Readonly<Record<StoreKindName, () => Promise<TestDatabase>>> = {
  memory: async () => ({ url: 'memory:', remove: async () => undefined }),

  sqlite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-'));
    const remove = () => rm(folder, { recursive: true, force: true });
    return { url: `sqlite:${join(folder, 'portico.db')}`, remove };
  },

  postgres: async () => {
    const { url, drop } = await freshDatabase();
    return { url, remove: drop };
  },

  mariadb: async () => {
    const { url, drop } = await freshMariaDb();
    return { url, remove: drop };
  },
};

export const createDatabase = (kind: StoreKindName): Promise<TestDatabase> => creators[kind]();

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
