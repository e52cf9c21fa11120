import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { freshDatabase } from '../postgres.ts';
import type { DatabaseName } from './arguments.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Where the servers keep everything, seen without them. */
export interface Place {
  readonly url: string;
  query(text: string): Promise<readonly Row[]>;
  /** Cuts some of the connections that the servers have, where there are any. */
  cutConnection(): Promise<void>;
  remove(): Promise<void>;
}

/** An empty one. */
export const newPlace = (database: DatabaseName, folder: string): Promise<Place> =>
  database === 'sqlite' ? newFile(folder) : newDatabase();

const newFile = async (folder: string): Promise<Place> => {
  const own = await mkdtemp(join(folder, 'sqlite-'));
  const file = join(own, 'portico.db');
  return {
    url: `sqlite:${file}`,
    query: async (text) => {
      const database = new BetterSqlite3(file, { readonly: true });
      try {
        return database.prepare<[], Row>(text).all();
      } finally {
        database.close();
      }
    },
    cutConnection: async () => undefined,
    remove: () => rm(own, { recursive: true, force: true }),
  };
};

const newDatabase = async (): Promise<Place> => {
  const { url, query, drop } = await freshDatabase();
  return {
    url,
    query,
    cutConnection: async () => {
      await query(
        'select pg_terminate_backend(pid) from pg_stat_activity ' +
          'where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1',
      );
    },
    remove: drop,
  };
};
