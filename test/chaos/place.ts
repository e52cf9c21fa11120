import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { freshDatabase } from '../support/postgres.ts';
import type { DatabaseName } from './arguments.ts';

type Row = Readonly<Record<string, unknown>>;

/** Where the servers keep everything, seen without them. */
export interface Place {
  readonly url: string;
  query(text: string): Promise<readonly Row[]>;
  /** The key's current fencing token, which is incremented on takeover. */
  fenceOf(key: string): Promise<unknown>;
  /**
   * Takes a connection away from a server, where there are any.
   * @param age how old it is at least, in milliseconds: one that is just starting may rightly give up without it
   */
  cutConnection(age: number): Promise<void>;
  remove(): Promise<void>;
}

/** An empty one. */
export const newPlace = (database: DatabaseName, folder: string): Promise<Place> =>
  database === 'sqlite' ? newFile(folder) : newDatabase();

const newFile = async (folder: string): Promise<Place> => {
  const own = await mkdtemp(join(folder, 'sqlite-'));
  const file = join(own, 'portico.db');
  const query = async (text: string): Promise<Row[]> => {
    const database = new BetterSqlite3(file, { readonly: true });
    try {
      return database.prepare<[], Row>(text).all();
    } finally {
      database.close();
    }
  };
  return {
    url: `sqlite:${file}`,
    query,
    fenceOf: fenceBy(query),
    cutConnection: async () => undefined,
    remove: () => rm(own, { recursive: true, force: true }),
  };
};

const newDatabase = async (): Promise<Place> => {
  const { url, query, drop } = await freshDatabase();
  return {
    url,
    query,
    fenceOf: fenceBy(query),
    cutConnection: async (age) => {
      await query(
        'select pg_terminate_backend(pid) from pg_stat_activity ' +
          'where datname = current_database() and pid <> pg_backend_pid() ' +
          `and backend_start < clock_timestamp() - interval '${Math.round(age)} milliseconds' ` +
          'order by random() limit 1',
      );
    },
    remove: drop,
  };
};

/** Our keys are letters, digits and hyphens. */
const fenceBy =
  (query: Place['query']) =>
  async (key: string): Promise<unknown> => {
    const [row] = await query(`select fence from idempotency_keys where key = '${key}'`);
    return row && Object.values(row)[0];
  };
