import { type KeptKindName, keptKindNames } from '#bootstrap/config/store-kinds.ts';
import type { Random } from '#test/support/random.ts';
import { createDatabase, type ObservedDatabase } from '../lab/databases.ts';
import { createGaleraDatabase } from './galera-database.ts';

/** The database of the servers, which fails now and then. */
export interface DisturbedDatabase extends ObservedDatabase {
  /** The URL of the second server, where that is another one. */
  readonly secondUrl?: string;
  /**
   * Terminates a connection of a server to the database, if it has any, or lets a node of the database fail.
   * @param age the minimum age of the connection, in milliseconds: a server that is just starting may end without it.
   *   Undefined while a server is starting
   * @returns what was done
   */
  disturb(age: number | undefined, random: Random): Promise<Disturbance | undefined>;
  /** Resolves when the database has recovered from its last disturbance. */
  recovered?(): Promise<void>;
}

/** What happens to a database, and its name in the counts. */
export type Disturbance = 'cutConnections' | 'killedNodes' | 'frozenNodes' | 'killedClusters';

/** A kind of store, or a cluster whose nodes are killed. */
export type ChaosDatabase = KeptKindName | 'galera';

export const chaosDatabases: readonly ChaosDatabase[] = [...keptKindNames(), 'galera'];

/** Creates an empty database. */
export const createDisturbedDatabase = async (kind: ChaosDatabase): Promise<DisturbedDatabase> => {
  if (kind === 'galera') return createGaleraDatabase();
  const database = await createDatabase(kind);
  return {
    ...database,
    disturb: async (age) =>
      age !== undefined && (await cutters[kind](database.query, Math.round(age)))
        ? 'cutConnections'
        : undefined,
  };
};

/** @returns whether a connection of at least that age, in milliseconds, was terminated */
type CutConnection = (query: ObservedDatabase['query'], age: number) => Promise<boolean>;

/** A new kind of store does not compile without one, so that its connections are cut too. */
const cutters: Readonly<Record<KeptKindName, CutConnection>> = {
  // It has none.
  sqlite: async () => false,

  postgres: async (query, age) => {
    const cut = await query(
      'select pg_terminate_backend(pid) from pg_stat_activity ' +
        'where datname = current_database() and pid <> pg_backend_pid() ' +
        `and backend_start < clock_timestamp() - interval '${age} milliseconds' ` +
        'order by random() limit 1',
    );
    return cut.length > 0;
  },

  mariadb: async (query, age) => {
    const rows = await query(
      `select id from information_schema.processlist where db = database() and id <> connection_id()
        and time_ms >= ${age} order by rand() limit 1`,
    );
    for (const { id } of rows) await query(`kill ${id}`).catch(() => undefined);
    return rows.length > 0;
  },
};
