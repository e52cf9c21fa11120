import { Client, type Pool } from 'pg';
import { isUpToDate, migrate, migrationsTable } from '../migrate.ts';
import { steps } from '../migrations/postgres/all.ts';
import { postgresOrm } from './orm.ts';

/** The same for every process, and hardly anybody else's. It spells `portico`. */
const lock = '31647734761612143';

/**
 * Brings the schema up to date.
 *
 * Processes take turns by a lock on a connection of its own, which PostgreSQL lets go of when that transaction ends,
 * and also when the process dies. Whoever waited looks again and finds nothing to do. Migrations may take their time,
 * so they run over connections without a limit.
 * @returns whether the database was empty
 */
export const migratePostgres = async (url: string, pool: Pool): Promise<boolean> => {
  if (isUpToDate(steps, await applied(pool))) return false;
  const holder = new Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(${lock})`);
    const before = await applied(pool);
    if (!isUpToDate(steps, before)) await apply(url);
    await holder.query('commit');
    return before.length === 0;
  } finally {
    await holder.end();
  }
};

const apply = async (url: string): Promise<void> => {
  const orm = postgresOrm({ url, poolSize: 1, timeout: 0 });
  try {
    await migrate(orm, steps, true);
  } finally {
    await orm.close();
  }
};

/** The names of the changes that have been made. */
export const applied = async (pool: Pool): Promise<readonly string[]> => {
  const table = await pool.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    migrationsTable,
  ]);
  if (!table.rows[0]?.exists) return [];
  const { rows } = await pool.query<{ name: string }>(`select name from ${migrationsTable}`);
  return rows.map(({ name }) => name);
};
