import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import type { Store } from '../../store.ts';
import { explain } from './errors.ts';
import { migrateSqlite } from './migrate.ts';
import { type SqliteOrm, sqliteOrm } from './orm.ts';
import { SqliteUnitOfWork } from './unit-of-work.ts';

export interface SqliteOptions {
  /** Its folder is made when there is none. `:memory:` lives and dies with the process. */
  readonly file: string;
}

/** The driver waits within the call, so nothing else moves meanwhile; at a start there is nothing else. */
const busyTimeout = { atStart: 10_000, atWork: 1000 };

/** @throws ApplicationError 'unavailable' when the file cannot be used */
export const openSqlite = async ({ file }: SqliteOptions): Promise<Store> => {
  const inMemory = file === ':memory:';
  if (!inMemory) await mkdir(dirname(file), { recursive: true });
  const orm = sqliteOrm(file, busyTimeout.atStart);
  try {
    return await open(orm, file, inMemory);
  } catch (error) {
    await orm.close();
    throw explain(error);
  }
};

const open = async (orm: SqliteOrm, file: string, inMemory: boolean): Promise<Store> => {
  const writer = await orm.em.getConnection().getNativeClient();
  if (!inMemory) await writeAhead(writer);
  // Of what was acknowledged, a power loss takes nothing; NORMAL would lose what was written last.
  writer.pragma('synchronous = full');
  const isNew = await migrateSqlite(orm, writer);
  writer.pragma(`busy_timeout = ${busyTimeout.atWork}`);
  const reader = inMemory
    ? undefined
    : new BetterSqlite3(file, { readonly: true, timeout: busyTimeout.atWork });
  const unitOfWork = new SqliteUnitOfWork(writer, reader);
  return {
    unitOfWork,
    isNew,
    // The database is this machine's, and so is its clock.
    now: async () => Date.now(),
    ping: () => unitOfWork.ping(),
    close: async () => {
      await unitOfWork.end();
      // The last to close puts the write-ahead log into the file, which a reader could not.
      reader?.close();
      await orm.close();
    },
  };
};

/**
 * Readers and the writer do not wait for each other. The switch needs the file for itself and does not wait for it,
 * whatever the busy timeout says, so several processes that open a new file at once have to take turns here.
 */
const writeAhead = async (database: Database): Promise<void> => {
  const deadline = Date.now() + busyTimeout.atStart;
  for (;;) {
    try {
      database.pragma('journal_mode = wal');
      return;
    } catch (error) {
      const busy = error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || Date.now() > deadline) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
};
