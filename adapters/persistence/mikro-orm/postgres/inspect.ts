import { Pool } from 'pg';
import type { Inspection } from '../../store.ts';
import { compare } from '../migrate.ts';
import { steps } from '../migrations/postgres/all.ts';
import { timeOf } from '../reading.ts';
import { explain } from './errors.ts';
import { applied } from './migrate.ts';
import { clock, type PostgresOptions } from './open.ts';
import { postgresSession } from './session.ts';

/** @throws ApplicationError 'unavailable' when the server cannot be reached, or has no such database */
export const inspectPostgres = async ({
  url,
  timeout = 5000,
}: Pick<PostgresOptions, 'url' | 'timeout'>): Promise<Inspection> => {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
  });
  // A connection that breaks while it idles is noticed when it is used next.
  pool.on('error', () => undefined);
  try {
    const made = await applied(pool);
    const { rows } = await pool.query<{ server_version: string }>('show server_version');
    return {
      product: `PostgreSQL ${rows[0]?.server_version.split(' ', 1)}`,
      exists: made.length > 0,
      ...compare(steps, made),
      now: await timeOf(postgresSession(pool), clock),
    };
  } catch (error) {
    throw explain(error);
  } finally {
    await pool.end();
  }
};
