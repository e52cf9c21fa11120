import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type KeptKindName, keptKindNames } from '#bootstrap/config/store-kinds.ts';
import type { Random } from '#test/support/random.ts';
import { freshMariaDb } from '../support/mariadb.ts';
import { freshDatabase } from '../support/postgres.ts';
import { createGaleraDatabase } from './galera-database.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The database of the servers, read without them. */
export interface TestDatabase {
  readonly url: string;
  /** The URL of the second server, where that is another one. */
  readonly secondUrl?: string;
  query(text: string): Promise<readonly Row[]>;
  /** Changes rows, beside the servers. */
  execute(text: string): Promise<unknown>;
  /** The key's current fencing token, which is incremented on takeover. */
  fencingTokenOf(key: string): Promise<unknown>;
  /**
   * Terminates a connection of a server to the database, if it has any, or lets a node of the database fail.
   * @param age the minimum age of the connection, in milliseconds: a server that is just starting may end without it.
   *   Undefined while a server is starting
   * @returns what was done
   */
  disturb(age: number | undefined, random: Random): Promise<Disturbance | undefined>;
  /** Resolves when the database has recovered from its last disturbance. */
  recovered?(): Promise<void>;
  remove(): Promise<void>;
}

/** What happens to a database, and its name in the counts. */
export type Disturbance = 'cutConnections' | 'killedNodes' | 'frozenNodes' | 'killedClusters';

/** A kind of store, or a cluster whose nodes are killed. */
export type ChaosDatabase = KeptKindName | 'galera';

export const chaosDatabases: readonly ChaosDatabase[] = [...keptKindNames(), 'galera'];

/** Creates an empty database. */
export const createDatabase = (kind: ChaosDatabase, folder: string): Promise<TestDatabase> =>
  creators[kind](folder);

const createSqliteDatabase = async (folder: string): Promise<TestDatabase> => {
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
    execute: async (text) => {
      const database = new BetterSqlite3(file, { timeout: 10_000 });
      try {
        database.exec(text);
      } finally {
        database.close();
      }
    },
    fencingTokenOf: fencingTokenReader(query),
    disturb: async () => undefined,
    remove: () => rm(own, { recursive: true, force: true }),
  };
};

const createPostgresDatabase = async (): Promise<TestDatabase> => {
  const { url, query, drop } = await freshDatabase();
  return {
    url,
    query,
    execute: query,
    fencingTokenOf: fencingTokenReader(query),
    disturb: async (age) => {
      if (age === undefined) return undefined;
      const cut = await query(
        'select pg_terminate_backend(pid) from pg_stat_activity ' +
          'where datname = current_database() and pid <> pg_backend_pid() ' +
          `and backend_start < clock_timestamp() - interval '${Math.round(age)} milliseconds' ` +
          'order by random() limit 1',
      );
      return cut.length > 0 ? 'cutConnections' : undefined;
    },
    remove: drop,
  };
};

const createMariaDbDatabase = async (): Promise<TestDatabase> => {
  const { url, query, drop } = await freshMariaDb();
  return {
    url,
    query,
    execute: query,
    fencingTokenOf: fencingTokenReader(query),
    disturb: async (age) => {
      if (age === undefined) return undefined;
      const rows = await query(
        `select id from information_schema.processlist where db = database() and id <> connection_id()
          and time_ms >= ${Math.round(age)} order by rand() limit 1`,
      );
      for (const { id } of rows) await query(`kill ${id}`).catch(() => undefined);
      return rows.length > 0 ? 'cutConnections' : undefined;
    },
    remove: drop,
  };
};

/** A new kind of store does not compile without one, so that its servers are killed too. */
const creators: Readonly<Record<ChaosDatabase, (folder: string) => Promise<TestDatabase>>> = {
  sqlite: createSqliteDatabase,
  postgres: createPostgresDatabase,
  mariadb: createMariaDbDatabase,
  galera: createGaleraDatabase,
};

/** Our keys are letters, digits and hyphens. */
export const fencingTokenReader =
  (query: TestDatabase['query']) =>
  async (key: string): Promise<unknown> => {
    const [row] = await query(`select fence from idempotency_keys where "key" = '${key}'`);
    return row && Object.values(row)[0];
  };
