import type { Pool } from 'pg';
import { sleep } from '#adapters/support/time.ts';
import { UnavailableError } from '#application/errors.ts';
import { isUpToDate, lacksBaseline, recordBaseline } from '../schema/history.ts';
import { migrate, migrationsTable } from '../schema/migrate.ts';
import { migrationsOf } from '../schema/migrations/all.ts';
import { ConnectionPool } from './connection/pool.ts';
import { postgresOrm } from './orm.ts';

/** The key of the advisory lock that every process acquires before it migrates. It spells `portico`. */
const migrationLock = '31647734761612143';

/** How long a migration waits for a table lock, in milliseconds. Every later query of the table queues behind it. */
const lockTimeoutMs = 1_000;

const tablesInUse =
  'its tables cannot be brought up to date while another transaction keeps them in use, perhaps a backup. ' +
  'Try again when it has ended.';

/**
 * Brings the schema up to date, in one transaction on one connection.
 *
 * An advisory lock lets one process migrate at a time; PostgreSQL releases it when the transaction ends or the process dies.
 * A process that waits for the lock holds no connection, because a pooler may have only one for all of them. Statements
 * have no timeout, but locks do: a migration that waits for a table would hold up every other client of that table.
 *
 * Statements are written by hand: the builder has neither locks and settings nor the tables of the catalogue.
 * @param maxRetryMs how long tables in use are retried, in milliseconds
 * @returns whether the database was empty
 * @throws ApplicationError 'unavailable' when the tables are in use for longer, HistoryError when they are of another program, or an
 *   early build has migrated them halfway
 */
export const migratePostgres = async (url: string, pool: Pool, maxRetryMs = 60_000): Promise<boolean> => {
  if (isUpToDate('postgres', await appliedMigrations(pool))) return false;
  const orm = postgresOrm(url, 1);
  const single = await orm.em.getConnection().getNativeClient();
  const connections = new ConnectionPool(single, 0);
  // No connection may replace the first one, which holds the transaction.
  single.once('connect', () => {
    single.options.onConnect = () => Promise.reject(new Error('Connection terminated during the migration.'));
  });
  const retryUntil = performance.now() + maxRetryMs;
  try {
    for (;;) {
      await beginWithMigrationLock(connections);
      try {
        const before = await appliedMigrations(single);
        if (lacksBaseline('postgres', before)) await single.query(recordBaseline);
        if (!isUpToDate('postgres', before)) await migrate(orm, migrationsOf('postgres'));
        await single.query('commit');
        return before.length === 0;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        await single.query('rollback');
        if (performance.now() > retryUntil)
          throw new UnavailableError('database-unavailable', undefined, tablesInUse);
      }
      // The queries that queued behind the migration run meanwhile.
      await sleep(500 + Math.random() * 500);
    }
  } finally {
    await connections.close(() => orm.close());
  }
};

/** Whether PostgreSQL's lock timeout (55P03) is among the causes of an error. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '55P03') || isLockTimeout(error.cause));

/** Begins a transaction that holds the migration lock. */
const beginWithMigrationLock = async (connections: ConnectionPool): Promise<void> => {
  for (;;) {
    for (const { statement } of connections.begin) await connections.pool.query(statement.text);
    const { rows } = await connections.pool.query<{ acquired: boolean }>(
      `select pg_try_advisory_xact_lock(${migrationLock}) as acquired`,
    );
    if (rows[0]?.acquired) {
      await connections.pool.query(`set local lock_timeout = ${lockTimeoutMs}`);
      return;
    }
    await connections.pool.query('rollback');
    await sleep(20 + Math.random() * 80);
  }
};

/**
 * Lists the names of the applied migrations. It reads the catalogue as a table, because `to_regclass` may cache until the
 * transaction ends that the migrations table does not exist.
 */
export const appliedMigrations = async (pool: Pool): Promise<readonly string[]> => {
  const table = await pool.query<{ exists: boolean }>(
    'select exists (select from pg_class where relname = $1 and pg_table_is_visible(oid)) as exists',
    [migrationsTable],
  );
  if (!table.rows[0]?.exists) return [];
  const { rows } = await pool.query<{ name: string }>(`select name from ${migrationsTable}`);
  return rows.map(({ name }) => name);
};
