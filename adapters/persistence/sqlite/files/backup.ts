import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { rejectNaming, syncFolder } from '#adapters/support/fsync.ts';
import { busyTimeout } from '../connect.ts';
import { applied } from '../migrate.ts';
import { BackupError } from './backup-error.ts';

interface Copying {
  readonly from: string;
  /** Nothing may be there yet. Its folder is. */
  readonly to: string;
  /** Ends it, with nothing left behind. */
  readonly signal: AbortSignal;
  /** Is told how many pages are copied, and of how many. */
  readonly show: (done: number, of: number) => void;
}

/** What one step copies, in pages: enough to be quick, and little enough to be interrupted soon. */
const pagesAtOnce = 1_000;

/** What SQLite keeps beside a database while it is in use. What a database left there would be taken for the new one's. */
const companions = ['', '-wal', '-shm', '-journal'];

/**
 * Copies a database as it is at this instant, whatever is written to it meanwhile, also by other processes. The copy needs
 * no file beside it, is for its owner's eyes only, and is there when all of it is on the disk and has been found whole.
 * @returns its size in bytes, or undefined when it was interrupted
 * @throws BackupError, or the system's error with the name of the file
 */
export const backupSqlite = async ({ from, to, signal, show }: Copying): Promise<number | undefined> => {
  refuseThere(to);
  const unfinished = `${to}.${process.pid}.unfinished`;
  const handle = await open(unfinished, 'wx', 0o600).catch((error) => rejectNaming(to, error));
  try {
    await explaining(from, to, () => transfer(from, unfinished, signal, show));
    if (signal.aborted) return undefined;
    await explaining(from, to, async () => proveWhole(unfinished, from));
    await handle.sync();
    const { size } = await handle.stat();
    // Unlike a rename it never replaces what has come there meanwhile.
    await link(unfinished, to).catch((error) => rejectNaming(to, error));
    await syncFolder(dirname(to));
    return size;
  } finally {
    await handle.close();
    for (const companion of companions) await rm(`${unfinished}${companion}`, { force: true });
  }
};

const refuseThere = (to: string): void => {
  const there = companions.map((companion) => `${to}${companion}`).find((file) => existsSync(file));
  if (there !== undefined)
    throw new BackupError(`${there} is there already, and nothing is written over it.`);
};

/** Within one transaction of the reader, for a copy that begins anew at each commit of others might never come to its end. */
const transfer = async (
  from: string,
  to: string,
  signal: AbortSignal,
  show: Copying['show'],
): Promise<void> => {
  const reader = new BetterSqlite3(from, { readonly: true, timeout: busyTimeout.atStart });
  try {
    reader.exec('begin');
    if (applied(reader).length === 0) throw new BackupError(`${from} is no database of Portico.`);
    await reader.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        if (signal.aborted) throw new Interrupted();
        show(totalPages - remainingPages, totalPages);
        return pagesAtOnce;
      },
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    reader.close();
  }
};

class Interrupted extends Error {}

const proveWhole = (file: string, from: string): void => {
  const copy = new BetterSqlite3(file);
  try {
    // Otherwise it could only be opened where files beside it can be made.
    copy.pragma('journal_mode = delete');
    const fault = faultIn(copy);
    if (fault !== undefined) throw new BackupError(`${from} is damaged: ${fault}.`);
  } finally {
    copy.close();
  }
};

const faultIn = (database: Database): string | undefined => {
  const said = database.pragma('integrity_check(1)', { simple: true });
  if (said !== 'ok') return String(said).replaceAll(/\s+/g, ' ');
  const dangling = database.pragma('foreign_key_check', { simple: true });
  return dangling === undefined ? undefined : `${dangling} has rows that refer to none`;
};

const explaining = async (from: string, to: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    throw error.code === 'SQLITE_FULL'
      ? new BackupError(`${to} cannot be written, for its disk is full.`, error)
      : new BackupError(`${from} cannot be copied: ${error.message}.`, error);
  }
};
