import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type KeptKindName, keptKindNames } from '#bootstrap/config/store-kinds.ts';
import { freshMariaDb } from '../support/mariadb.ts';
import { freshDatabase } from '../support/postgres.ts';
import { allKinds } from '../support/test-databases.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The database of a program, which is read and changed beside it. */
export interface ObservedDatabase {
  readonly url: string;
  query(text: string): Promise<readonly Row[]>;
  execute(text: string): Promise<unknown>;
  remove(): Promise<void>;
}

/** Commits wait for the disk there, as in production. */
const sqliteDatabase = async (): Promise<ObservedDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-lab-'));
  const file = join(folder, 'portico.db');
  return {
    url: `sqlite:${file}`,
    query: async (text) => {
      using database = closing(new BetterSqlite3(file, { readonly: true }));
      return database.opened.prepare<[], Row>(text).all();
    },
    execute: async (text) => {
      using database = closing(new BetterSqlite3(file, { timeout: 10_000 }));
      database.opened.exec(text);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const closing = (opened: BetterSqlite3.Database) => ({ opened, [Symbol.dispose]: () => void opened.close() });

const onServer = async (
  created: Promise<Pick<ObservedDatabase, 'url' | 'query'> & { drop(): Promise<void> }>,
): Promise<ObservedDatabase> => {
  const { url, query, drop } = await created;
  return { url, query, execute: query, remove: drop };
};

/** One for each kind of store, so that a new kind does not compile without it. */
const creators: Readonly<Record<KeptKindName, () => Promise<ObservedDatabase>>> = {
  sqlite: sqliteDatabase,
  postgres: () => onServer(freshDatabase()),
  mariadb: () => onServer(freshMariaDb()),
};

/** Every kind that can be had here. */
export const testedKinds: readonly KeptKindName[] = keptKindNames().filter((kind) => allKinds.includes(kind));

/** Creates an empty database, as before a first start. */
export const createDatabase = (kind: KeptKindName): Promise<ObservedDatabase> => creators[kind]();

/** Creates an empty database that is removed in the end. */
export const openDatabase = async (
  kind: KeptKindName,
  { cleanUp }: { readonly cleanUp: AsyncDisposableStack },
): Promise<ObservedDatabase> => {
  const database = await createDatabase(kind);
  cleanUp.defer(() => database.remove());
  return database;
};
