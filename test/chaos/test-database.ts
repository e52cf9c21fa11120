import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type KeptKindName, keptKindNames } from '#bootstrap/config/store-kinds.ts';
import { GaleraCluster } from '../support/galera.ts';
import { freshMariaDb } from '../support/mariadb.ts';
import { runStatement } from '../support/mariadb-server.ts';
import { freshDatabase } from '../support/postgres.ts';

type Row = Readonly<Record<string, unknown>>;

/** The database of the servers, read without them. */
export interface TestDatabase {
  readonly url: string;
  /** The URL of the second server, where that is another one. */
  readonly secondUrl?: string;
  /** Whether it may be unavailable for a moment, at which a server that starts ends. */
  readonly losesNodes?: true;
  query(text: string): Promise<readonly Row[]>;
  /** The key's current fencing token, which is incremented on takeover. */
  fencingTokenOf(key: string): Promise<unknown>;
  /**
   * Terminates a connection of a server to the database, if it has any.
   * @param age the minimum age of the connection, in milliseconds: a server that is just starting may end without it
   */
  cutConnection(age: number): Promise<void>;
  remove(): Promise<void>;
}

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
    fencingTokenOf: fencingTokenReader(query),
    cutConnection: async () => undefined,
    remove: () => rm(own, { recursive: true, force: true }),
  };
};

const createPostgresDatabase = async (): Promise<TestDatabase> => {
  const { url, query, drop } = await freshDatabase();
  return {
    url,
    query,
    fencingTokenOf: fencingTokenReader(query),
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

const createMariaDbDatabase = async (): Promise<TestDatabase> => {
  const { url, query, drop } = await freshMariaDb();
  return {
    url,
    query,
    fencingTokenOf: fencingTokenReader(query),
    cutConnection: async (age) => {
      const rows = await query(
        `select id from information_schema.processlist where db = database() and id <> connection_id()
          and time_ms >= ${Math.round(age)} order by rand() limit 1`,
      );
      for (const { id } of rows) await query(`kill ${id}`).catch(() => undefined);
    },
    remove: drop,
  };
};

/** Each server prefers a node of its own, and one node at a time is killed, which joins again at once. */
const createGaleraDatabase = async (): Promise<TestDatabase> => {
  const cluster = await GaleraCluster.start();
  await cluster.createDatabase('portico');
  const urlBehind = async (preferred: number) =>
    `mariadb://portico@127.0.0.1:${await cluster.balance(preferred)}/portico`;
  let joining: Promise<void> | undefined;
  const query = (text: string) => runStatement(cluster.url(cluster.up[0] ?? 0, 'portico'), text);
  return {
    url: await urlBehind(1),
    secondUrl: await urlBehind(2),
    losesNodes: true,
    query,
    fencingTokenOf: fencingTokenReader(query),
    cutConnection: async () => {
      if (cluster.up.length < 3) return;
      await joining;
      const victim = Math.floor(Math.random() * 3);
      await cluster.kill(victim);
      joining = cluster.rejoin(victim);
    },
    remove: async () => {
      await joining;
      await cluster.remove();
    },
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
const fencingTokenReader =
  (query: TestDatabase['query']) =>
  async (key: string): Promise<unknown> => {
    const [row] = await query(`select fence from idempotency_keys where "key" = '${key}'`);
    return row && Object.values(row)[0];
  };
