import type { Database } from 'better-sqlite3';
import { isUpToDate, migrate, migrationsTable } from '../schema/migrate.ts';
import { sqliteMigrations } from '../schema/migrations/sqlite/all.ts';
import type { SqliteOrm } from './orm.ts';

/**
 * Brings the schema up to date.
 *
 * SQLite changes schemas in transactions like all else, so an immediate one around the whole migrator is the lock
 * that keeps other processes out: they wait at their own `begin immediate`, for as long as the busy timeout says,
 * then look again and find nothing to do. The migrator's own transaction would begin deferred, and fail at once when
 * two of them turn from reading to writing.
 * @returns whether the database was empty
 */
export const migrateSqlite = async (orm: SqliteOrm, database: Database): Promise<boolean> => {
  if (isUpToDate(sqliteMigrations, applied(database))) return false;
  database.exec('begin immediate');
  try {
    const before = applied(database);
    if (!isUpToDate(sqliteMigrations, before)) await migrate(orm, sqliteMigrations, false);
    database.exec('commit');
    return before.length === 0;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
};

/** The names of the changes that have been made. */
export const applied = (database: Database): readonly string[] => {
  const table = database
    .prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
    .get(migrationsTable);
  if (table === undefined) return [];
  return database.prepare<[], string>(`select name from ${migrationsTable}`).pluck().all();
};
