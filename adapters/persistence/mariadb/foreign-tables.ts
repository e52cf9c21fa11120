import { entities } from '../schema/entities/all.ts';
import { MigrationError } from '../schema/migrate.ts';
import { baselineName } from '../schema/migrations/all.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import { appliedMigrations, lockTable } from './migrate.ts';

const names = [lockTable, ...entities.mariadb.map(({ meta }) => meta.tableName)];

/** Written by hand: it asks the catalogue. */
const readTables: Statement = {
  name: 'own_tables',
  text: `select table_name as name from information_schema.tables
    where table_schema = database() and table_name in (${names.map((name) => `'${name}'`).join(', ')})
    order by table_name`,
};

/**
 * Finds a table of another program that has the name of one of Portico. The migrations would use it as their own, because they
 * run again after a process has died. The lock is made before any other table, so without it none is Portico's.
 * @returns its name
 */
export const findForeignTable = async (session: SqlSession): Promise<string | undefined> => {
  if ((await appliedMigrations(session)).length > 0) return undefined;
  const present = async () =>
    (await session.query<{ readonly name: string }>(readTables, [])).map(({ name }) => name);
  const [table] = await present();
  // Another process may have begun while the catalogue was read, so the lock counts as it is now.
  return table === undefined || (await present()).includes(lockTable) ? undefined : table;
};

/** @throws MigrationError when a table of another program is in the way */
export const requireNoForeignTable = async (session: SqlSession): Promise<void> => {
  const table = await findForeignTable(session);
  if (table === undefined) return;
  throw new MigrationError(baselineName, new Error(`table ${table} already exists`), true);
};
