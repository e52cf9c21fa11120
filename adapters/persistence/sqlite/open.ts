import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { createFolder } from '#adapters/support/folder.ts';
import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import { ConcurrencyConflict } from '#application/errors.ts';
import { compareMigrations } from '../schema/migrate.ts';
import { sqliteMigrations } from '../schema/migrations/sqlite/all.ts';
import { builderOf } from '../sql/builder.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import { sqlQuotaStore } from '../sql/quotas.ts';
import { compileRepositories } from '../sql/repositories.ts';
import { sqlSandboxLedger } from '../sql/sandbox-ledger.ts';
import { databaseClock, retried } from '../sql/session.ts';
import type { Store } from '../store.ts';
import { busyTimeoutMs, connect, sqliteOrm } from './connect.ts';
import { SqliteConnection, sqliteSession } from './connection.ts';
import { sqliteDialect, sqliteQuotaDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { guardFileIdentity, noFiles } from './files/file-identity.ts';
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
  if (file !== ':memory:') {
    await createFolder(dirname(file));
    protectFile(file);
  }
  const orm = sqliteOrm(file, busyTimeoutMs.atStartup);
  try {
    const { writer, reader, isNew } = await connect(orm, file);
    const files = reader === undefined ? noFiles : guardFileIdentity(file);
    const writes = new WriteQueue(new SqliteConnection(writer), files);
    // A database in memory has one connection, so its reads wait in the queue.
    const reads = reader ? retried(sqliteSession(new SqliteConnection(reader))) : writes.autocommit();
    const builder = builderOf(orm);
    const writeDelay = estimateQueueDelay(() => writes.stats);
    return {
      unitOfWork: sqliteUnitOfWork(compileRepositories(builder, sqliteDialect), writes, reads),
      sandboxLedger: sqlSandboxLedger(builder, sqliteDialect, { ...writes.autocommit(), query: reads.query }),
      quotas:
        reader &&
        ((limit) => sqlQuotaStore(writes.autocommit({ isDurable: false }), sqliteQuotaDialect, limit, reads)),
      isNew,
      now: databaseClock(reads, sqliteQuotaDialect.now),
      queueDelay: (purpose) => (reader !== undefined && purpose === 'read' ? 0 : writeDelay()),
      schema: async () => {
        files.checkNow();
        return compareMigrations(sqliteMigrations, readAppliedMigrations(reader ?? writer));
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
    const translated = translateError(error);
    throw translated instanceof ConcurrencyConflict ? unavailable(error) : translated;
  }
};

const readAppliedMigrations = (database: Database): readonly string[] => {
  try {
    return appliedMigrations(database);
  } catch (error) {
    throw translateError(error);
  }
};
