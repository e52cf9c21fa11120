import { existsSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { compareMigrations, findHistoryProblem } from '../schema/history.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import { databaseClock } from '../sql/session.ts';
import type { Inspection } from '../store.ts';
import { busyTimeoutMs } from './connect.ts';
import { SqliteConnection, sqliteSession } from './connection.ts';
import { sqliteQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { describeDamage, findDamage } from './files/health.ts';
import { appliedMigrations } from './migrate.ts';
import type { SqliteOptions } from './open.ts';

/**
 * Inspects a file without creating or changing anything.
 * @throws ApplicationError 'unavailable' when the file exists and cannot be used
 */
export const inspectSqlite = async ({ file }: SqliteOptions): Promise<Inspection> => {
  const exists = file !== ':memory:' && existsSync(file);
  try {
    const database = exists
      ? new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs.atStartup })
      : new BetterSqlite3(':memory:');
    try {
      return await inspect(database, exists);
    } finally {
      database.close();
    }
  } catch (error) {
    const translated = translateError(error);
    throw translated === error ? unavailable(error) : translated;
  }
};

const inspect = async (database: Database, exists: boolean): Promise<Inspection> => {
  // Written by hand: no MikroORM is open.
  const damage = exists ? findDamage(database) : undefined;
  if (damage !== undefined) {
    const nothingRead = { applied: [], pending: [], unknown: [], now: Date.now() };
    return { product: 'SQLite', exists, problem: describeDamage(damage), ...nothingRead };
  }
  const version = database.prepare<[], string>('select sqlite_version()').pluck().get();
  const applied = appliedMigrations(database);
  return {
    product: `SQLite ${version}`,
    exists,
    ...findHistoryProblem('sqlite', applied),
    ...compareMigrations('sqlite', applied),
    now: await databaseClock(sqliteSession(new SqliteConnection(database)), sqliteQuotaDialect.now)(),
  };
};
