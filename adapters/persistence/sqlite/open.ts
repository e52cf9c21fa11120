import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { createFolder } from '#adapters/support/folder.ts';
import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import { ConcurrencyConflict } from '#application/errors.ts';
import { compareMigrations } from '../schema/history.ts';
import { builderOf } from '../sql/builder.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import { sqlQuotas } from '../sql/quotas.ts';
import { compileRepositories } from '../sql/repositories.ts';
import { sqlSandboxLedger } from '../sql/sandbox-ledger.ts';
import { databaseClock, retried, type SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import type { Store } from '../store.ts';
import { busyTimeoutMs, connect, sqliteOrm } from './connect.ts';
import { SqliteConnection, sqliteSession } from './connection.ts';
import { sqliteDialect, sqliteQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { guardFileIdentity, noFiles } from './files/file-identity.ts';
import { damageError, findDamage, isCorruption, SqliteHealth, wasNotClosed } from './files/health.ts';
import { protectFile } from './files/permissions.ts';
import { appliedMigrations } from './migrate.ts';
import { sqliteUnitOfWork } from './unit-of-work.ts';
import { WriteQueue } from './write-queue.ts';

export interface SqliteOptions {
  /** A path, whose folder is created when it is missing, or `:memory:`, which ends with the process. */
  readonly file: string;
}

/**
 * Opens a store in a SQLite file, and migrates it.
 * @throws ApplicationError 'unavailable' when the file cannot be used
 */
export const openSqlite = async ({ file }: SqliteOptions): Promise<Store> => {
  if (file !== ':memory:') await prepareFile(file);
  const orm = sqliteOrm(file, busyTimeoutMs.atStartup);
  try {
    const { writer, reader, isNew } = await connect(orm, file);
    const health = new SqliteHealth();
    const files = reader === undefined ? noFiles : guardFileIdentity(file);
    const writes = new WriteQueue(new SqliteConnection(writer, health), files);
    // A database in memory has one connection, so its reads wait in the queue.
    const reads = reader ? retried(sqliteSession(new SqliteConnection(reader, health))) : writes.autocommit();
    const builder = builderOf(orm);
    const writeDelay = estimateQueueDelay(() => writes.stats);
    return {
      unitOfWork: sqliteUnitOfWork(compileRepositories(builder, sqliteDialect), writes, reads),
      sandboxLedger: sqlSandboxLedger(builder, sqliteDialect, { ...writes.autocommit(), query: reads.query }),
      quotas: reader && sqlQuotas(writes.autocommit({ isDurable: false }), sqliteQuotaDialect, reads),
      isNew,
      now: databaseClock(reads, sqliteQuotaDialect.now),
      queueDelay: (purpose) => (reader !== undefined && purpose === 'read' ? 0 : writeDelay()),
      schema: async () => {
        files.checkNow();
        if (health.cannotWrite) await tryToWrite(writes.autocommit());
        const migrations = readMigrations(reader ?? writer, health);
        const { problem } = health;
        return { ...migrations, ...(problem !== undefined && { problem }) };
      },
      close: async () => {
        await writes.drain();
        // The connection that closes last checkpoints the WAL, which a read-only one cannot.
        reader?.close();
        await orm.close();
      },
    };
  } catch (error) {
    await orm.close();
    if (isCorruption(error)) throw unavailable(damageError(file, error.message, error));
    const translated = translateError(error);
    throw translated instanceof ConcurrencyConflict ? unavailable(error) : translated;
  }
};

/** @throws ApplicationError 'unavailable' when a file that was not closed is damaged */
const prepareFile = async (file: string): Promise<void> => {
  await createFolder(dirname(file));
  protectFile(file);
  if (!wasNotClosed(file)) return;
  const damage = withReadOnly(file, findDamage);
  if (damage !== undefined) throw unavailable(damageError(file, damage));
};

/** Runs a check on a connection that changes nothing. @returns undefined when the file cannot be opened, which a start reports */
const withReadOnly = <T>(file: string, check: (database: Database) => T): T | undefined => {
  let database: Database | undefined;
  try {
    database = new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs.atStartup });
    return check(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
};

/**
 * A process that a full disk has removed from the load balancer gets no request that would show that there is room again. The
 * health of the store keeps an error of it.
 */
const tryToWrite = (session: SqlSession): Promise<unknown> =>
  session.execute(smallestChange, []).catch(() => undefined);

/* Written by hand: it writes the first page of the file, and changes nothing that Portico reads. */
const smallestChange: Statement = { name: 'smallest_change', text: 'pragma user_version = 0' };

/** Empty where the file is so damaged that they cannot be read, which its health then reports. */
const readMigrations = (database: Database, health: SqliteHealth) => {
  try {
    return compareMigrations('sqlite', appliedMigrations(database));
  } catch (error) {
    health.failed(error);
    if (health.problem === undefined) throw translateError(error);
    return { applied: [], pending: [], unknown: [] };
  }
};
