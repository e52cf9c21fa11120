import { existsSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { compareMigrations } from '../schema/migrate.ts';
import { sqliteMigrations } from '../schema/migrations/sqlite/all.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import { databaseTime } from '../sql/read-session.ts';
import type { Inspection } from '../store.ts';
import { busyTimeout } from './connect.ts';
import { Connection } from './connection.ts';
import { explain } from './errors.ts';
import { applied } from './migrate.ts';
import { clock, type SqliteOptions } from './open.ts';
import { sqliteSession } from './session.ts';

/** @throws ApplicationError 'unavailable' when there is a file that cannot be used */
export const inspectSqlite = async ({ file }: SqliteOptions): Promise<Inspection> => {
  const exists = file !== ':memory:' && existsSync(file);
  try {
    const database = exists
      ? new BetterSqlite3(file, { readonly: true, timeout: busyTimeout.atStart })
      : new BetterSqlite3(':memory:');
    try {
      return await inspect(database, exists);
    } finally {
      database.close();
    }
  } catch (error) {
    const explained = explain(error);
    throw explained === error ? unavailable(error) : explained;
  }
};

const inspect = async (database: Database, exists: boolean): Promise<Inspection> => {
  const version = database.prepare<[], string>('select sqlite_version()').pluck().get();
  return {
    product: `SQLite ${version}`,
    exists,
    ...compareMigrations(sqliteMigrations, applied(database)),
    now: await databaseTime(sqliteSession(new Connection(database)), clock),
  };
};
