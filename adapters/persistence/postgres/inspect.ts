import { compareMigrations, findHistoryProblem } from '../schema/history.ts';
import { databaseClock } from '../sql/session.ts';
import type { Inspection } from '../store.ts';
import { connectTo } from './connection/connect-to.ts';
import { postgresQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { appliedMigrations } from './migrate.ts';
import { postgresSession } from './session.ts';
import { findProblem } from './usability.ts';

/*
 * The statements here are written by hand: they read functions of PostgreSQL, and no MikroORM is open.
 */

/** Of a statement, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Checks whether a server is a read replica.
 * @returns the reason why it is not; undefined when it is
 */
export const inspectReplica = async (url: string): Promise<string | undefined> => {
  const connections = connectTo(url, 1, timeoutMs);
  try {
    const { rows } = await connections.pool.query<{ follows: boolean }>(
      'select pg_is_in_recovery() as follows',
    );
    return rows[0]?.follows ? undefined : 'it follows no other server';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await connections.close();
  }
};

/**
 * Inspects the database and changes nothing.
 * @throws ApplicationError 'unavailable' when the server cannot be reached, or has no such database
 */
export const inspectPostgres = async (url: string): Promise<Inspection> => {
  const connections = connectTo(url, 1, timeoutMs);
  const { pool } = connections;
  try {
    const found = await findProblem(connections);
    if (found !== undefined) {
      return {
        ...found,
        ...{ product: 'PostgreSQL', exists: true, applied: [], pending: [], unknown: [], now: Date.now() },
      };
    }
    const applied = await appliedMigrations(pool);
    const { rows } = await pool.query<{ version: string; may_create: boolean }>(
      `select current_setting('server_version') as version,
        coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`,
    );
    return {
      product: `PostgreSQL ${rows[0]?.version.split(' ', 1)}`,
      mayCreate: rows[0]?.may_create === true,
      exists: applied.length > 0,
      ...findHistoryProblem('postgres', applied),
      ...compareMigrations('postgres', applied),
      now: await databaseClock(postgresSession(connections), postgresQuotaDialect.now)(),
    };
  } catch (error) {
    throw translateError(error);
  } finally {
    await connections.close();
  }
};
