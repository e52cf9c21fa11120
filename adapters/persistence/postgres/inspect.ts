import { compareMigrations } from '../schema/migrate.ts';
import { postgresMigrations } from '../schema/migrations/postgres/all.ts';
import { databaseTime } from '../sql/read-session.ts';
import type { Inspection } from '../store.ts';
import { Connections } from './connection/pool.ts';
import { explain } from './errors.ts';
import { applied } from './migrate.ts';
import { clock, type PostgresOptions } from './open.ts';
import { postgresSession } from './session.ts';

/** Whether a replica can be of use: undefined when it can, otherwise what is wrong with it. */
export const inspectReplica = async (url: string, timeout = 5000): Promise<string | undefined> => {
  const connections = Connections.to(url, 1, timeout);
  try {
    const { rows } = await connections.pool.query<{ follows: boolean }>(
      'select pg_is_in_recovery() as follows',
    );
    return rows[0]?.follows ? undefined : 'it follows no other server';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await connections.close(() => connections.pool.end());
  }
};

/** @throws ApplicationError 'unavailable' when the server cannot be reached, or has no such database */
export const inspectPostgres = async ({
  url,
  timeout = 5000,
}: Pick<PostgresOptions, 'url' | 'timeout'>): Promise<Inspection> => {
  const connections = Connections.to(url, 1, timeout);
  const { pool } = connections;
  try {
    const made = await applied(pool);
    const { rows } = await pool.query<{ version: string; may_create: boolean }>(
      `select current_setting('server_version') as version,
        coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`,
    );
    return {
      product: `PostgreSQL ${rows[0]?.version.split(' ', 1)}`,
      mayCreate: rows[0]?.may_create === true,
      exists: made.length > 0,
      ...compareMigrations(postgresMigrations, made),
      now: await databaseTime(postgresSession(connections), clock),
    };
  } catch (error) {
    throw explain(error);
  } finally {
    await connections.close(() => pool.end());
  }
};
