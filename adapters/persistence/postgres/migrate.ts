import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ApplicationError } from '#application/errors.ts';
import { isUpToDate, migrate, migrationsTable } from '../schema/migrate.ts';
import { postgresMigrations } from '../schema/migrations/postgres/all.ts';
import { Connections } from './connection/pool.ts';
import { postgresOrm } from './orm.ts';

/** The same for every process, and hardly anybody else's. It spells `portico`. */
const lock = '31647734761612143';

/** How long a migration waits for a table, and keeps those waiting who come behind, in milliseconds. */
const lockTime = 1_000;

const inUse =
  'its tables cannot be brought up to date while something else keeps them in use, a backup perhaps. ' +
  'Try again when that has ended.';

/**
 * Brings the schema up to date.
 *
 * Processes take turns by a lock, which PostgreSQL lets go of when the transaction ends, and also when the process dies.
 * Whoever had to wait looks again and finds nothing to do. Everything goes over one connection, and nobody keeps one while
 * they wait: behind a pooler there are perhaps no more than that for all. Migrations may take their time, so it has no
 * limit; but whoever reads a table that they change is not waited for in a queue that stops everybody else.
 * @param patience how long tables that are in use are tried again, in milliseconds
 * @returns whether the database was empty
 * @throws ApplicationError 'unavailable' when they are in use for longer
 */
export const migratePostgres = async (url: string, pool: Pool, patience = 60_000): Promise<boolean> => {
  if (isUpToDate(postgresMigrations, await applied(pool))) return false;
  const connections = new Connections({ timeout: 0, isSole: true });
  const orm = postgresOrm({ url, poolSize: 1, timeout: 0 }, connections);
  const alone = await orm.em.getConnection().getNativeClient();
  connections.use(alone);
  const giveUp = performance.now() + patience;
  try {
    for (;;) {
      await takeTurn(connections);
      try {
        const before = await applied(alone);
        if (!isUpToDate(postgresMigrations, before)) await migrate(orm, postgresMigrations, false);
        await alone.query('commit');
        return before.length === 0;
      } catch (error) {
        if (!isInUse(error)) throw error;
        await alone.query('rollback');
        if (performance.now() > giveUp) throw new ApplicationError('unavailable', inUse);
      }
      // Everybody who had to wait behind the migration goes on meanwhile.
      await pause(500 + Math.random() * 500);
    }
  } finally {
    await connections.close(async () => {
      await orm.close();
      if (!alone.ended) await alone.end();
    });
  }
};

/** Whether it is PostgreSQL's refusal to wait for a lock, whatever else was said about it. */
const isInUse = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '55P03') || isInUse(error.cause));

/** Begins the transaction in which nobody else migrates. */
const takeTurn = async (connections: Connections): Promise<void> => {
  for (;;) {
    await connections.pool.query(connections.begin);
    const { rows } = await connections.pool.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(${lock}) as mine`,
    );
    if (rows[0]?.mine) {
      await connections.pool.query(`set local lock_timeout = ${lockTime}`);
      return;
    }
    await connections.pool.query('rollback');
    await pause(20 + Math.random() * 80);
  }
};

/**
 * The names of the changes that have been made. The catalogue is read as any table is: `to_regclass` may remember until the
 * transaction ends that there was no such table, although it has been made meanwhile.
 */
export const applied = async (pool: Pool): Promise<readonly string[]> => {
  const table = await pool.query<{ exists: boolean }>(
    'select exists (select from pg_class where relname = $1 and pg_table_is_visible(oid)) as exists',
    [migrationsTable],
  );
  if (!table.rows[0]?.exists) return [];
  const { rows } = await pool.query<{ name: string }>(`select name from ${migrationsTable}`);
  return rows.map(({ name }) => name);
};
