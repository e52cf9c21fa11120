import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { isBusy } from './errors.ts';
import { migrateSqlite } from './migrate.ts';
import type { SqliteOrm } from './orm.ts';

/**
 * How long the driver waits for another process, in milliseconds. It waits within the call, so nothing else moves
 * meanwhile. At a start there is nothing else; at work, whoever wants to write waits outside, and readers hardly ever
 * have to.
 */
export const busyTimeout = { atStart: 10_000, atWork: 0 };

/**
 * How much of the file the reader keeps at the most, in kibibytes. The system keeps all of it, 1 µs further away for each
 * page: a thousand products all over a table of 100,000 are on two thousand pages, which is 8 MB. With no
 * more than that each took 12 µs longer over HTTP (decision 13).
 */
const readCache = 12_288;

/** The same of the writer, which mostly appends: with 16 MB an order takes no less time, and the process 14 to 35 MB more. */
const writeCache = 2_048;

/**
 * WAL checkpoint threshold, in pages. The commit that exceeds it copies the WAL into the database file, which bounds the size
 * of the WAL: a larger value means fewer, longer checkpoints.
 */
const walAutocheckpointPages = 4_000;

export interface Connections {
  readonly writer: Database;
  /** It sees what is committed, while the writer is at work too. Memory has room for one connection only. */
  readonly reader: Database | undefined;
  readonly isNew: boolean;
}

export const connect = async (orm: SqliteOrm, file: string): Promise<Connections> => {
  const inMemory = file === ':memory:';
  const writer = await orm.em.getConnection().getNativeClient();
  if (!inMemory) await writeAhead(writer);
  // Of what was acknowledged, a power loss takes nothing; NORMAL would lose what was written last.
  writer.pragma('synchronous = full');
  writer.pragma('foreign_keys = on');
  writer.pragma(`cache_size = -${writeCache}`);
  writer.pragma(`wal_autocheckpoint = ${walAutocheckpointPages}`);
  const isNew = await migrateSqlite(orm, writer);
  writer.pragma(`busy_timeout = ${busyTimeout.atWork}`);
  if (inMemory) return { writer, reader: undefined, isNew };
  const reader = new BetterSqlite3(file, { readonly: true, timeout: busyTimeout.atWork });
  reader.pragma(`cache_size = -${readCache}`);
  return { writer, reader, isNew };
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
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
};
