import type { Database } from 'better-sqlite3';
import { isUpToDate, lacksBaseline, recordBaseline } from '../schema/history.ts';
import { migrate, migrationsTable } from '../schema/migrate.ts';
import { migrationsOf } from '../schema/migrations/all.ts';

/*
 * The statements here are written by hand: no entity describes the tables, and the builder cannot control a transaction.
 */

/**
 * Applies the missing migrations. An immediate transaction around the migrator is the lock that keeps other processes out;
 * they wait for it up to the busy timeout, then find nothing to do.
 *
 * The migrator's own transaction would be deferred, and SQLite fails at once when two of those turn from reading to writing.
 * @returns whether the database was empty
 * @throws HistoryError when it is one of another program, or one that an early build has migrated halfway
 */
export const migrateSqlite = async (
  orm: Parameters<typeof migrate>[0],
  database: Database,
): Promise<boolean> => {
  if (isUpToDate('sqlite', appliedMigrations(database))) return false;
  database.exec('begin immediate');
  try {
    const before = appliedMigrations(database);
    if (lacksBaseline('sqlite', before)) database.exec(recordBaseline);
    if (!isUpToDate('sqlite', before)) await migrate(orm, migrationsOf('sqlite'));
    database.exec('commit');
    return before.length === 0;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
};

/** The names of the migrations that have been applied. */
export const appliedMigrations = (database: Database): readonly string[] => {
  const table = database
    .prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
    .get(migrationsTable);
  if (table === undefined) return [];
  return database.prepare<[], string>(`select name from ${migrationsTable}`).pluck().all();
};
