import { MikroORM } from '@mikro-orm/sqlite';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { sleep } from '#adapters/support/time.ts';
import { ormOptions } from '../schema/migrate.ts';
import { isBusy } from './errors.ts';
import { migrateSqlite } from './migrate.ts';

/**
 * How long the driver waits for a lock of another process, in milliseconds. The wait blocks the event loop, so at run time
 * the write queue retries instead.
 */
export const busyTimeoutMs = { atStartup: 10_000, atRuntime: 0 };

/** Page cache of the connection that reads, in kibibytes. It holds the pages of a list that is spread over a large table. */
const readCacheKib = 12_288;

/** Page cache of the connection that writes, in kibibytes. It mostly appends, so a larger cache only costs memory. */
const writeCacheKib = 2_048;

/**
 * WAL checkpoint threshold, in pages. The commit that exceeds it copies the WAL into the database file, which bounds the size
 * of the WAL: a larger value means fewer, longer checkpoints.
 */
const walAutocheckpointPages = 2_000;

export interface Connections {
  readonly writer: Database;
  /** Sees what is committed, also while the writer is in a transaction. Undefined in memory, which allows one connection. */
  readonly reader: Database | undefined;
  /** Whether the database was empty. */
  readonly isNew: boolean;
}

/** @param lockTimeoutMs how long a statement waits for a lock of another process, in milliseconds */
export const sqliteOrm = (file: string, lockTimeoutMs: number) =>
  new MikroORM({ ...ormOptions, dbName: file, driverOptions: { timeout: lockTimeoutMs } });

type SqliteOrm = ReturnType<typeof sqliteOrm>;

/**
 * Opens the connections to a database and migrates it.
 * @param file a path, or `:memory:`
 */
export const connect = async (orm: SqliteOrm, file: string): Promise<Connections> => {
  const inMemory = file === ':memory:';
  const writer = await orm.em.getConnection().getNativeClient();
  if (!inMemory) await enableWal(writer);
  // In WAL mode NORMAL would lose the last commits in a power loss: https://www.sqlite.org/pragma.html#pragma_synchronous
  writer.pragma('synchronous = full');
  writer.pragma('foreign_keys = on');
  writer.pragma(`cache_size = -${writeCacheKib}`);
  writer.pragma(`wal_autocheckpoint = ${walAutocheckpointPages}`);
  const isNew = await migrateSqlite(orm, writer);
  writer.pragma(`busy_timeout = ${busyTimeoutMs.atRuntime}`);
  if (inMemory) return { writer, reader: undefined, isNew };
  const reader = new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs.atRuntime });
  reader.pragma(`cache_size = -${readCacheKib}`);
  return { writer, reader, isNew };
};

/**
 * Enables write-ahead logging, with which readers and the writer do not block each other. The switch ignores the busy timeout,
 * so processes that open a new file at once retry here, with jitter.
 */
const enableWal = async (database: Database): Promise<void> => {
  const deadline = performance.now() + busyTimeoutMs.atStartup;
  for (;;) {
    try {
      database.pragma('journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
};
