import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { fsyncFolder, rethrowWithPath } from '#adapters/support/folder.ts';
import { removeLeftovers, suffixes, unfinishedName } from '#adapters/support/unfinished-files.ts';
import type { BackupOptions } from '../../store-kind.ts';
import { busyTimeoutMs } from '../connect.ts';
import { isBusy } from '../errors.ts';
import { appliedMigrations } from '../migrate.ts';
import { BackupError } from './backup-error.ts';
import { renewCopiedFeed } from './copied-feed.ts';

/** Pages per step of the backup. Between two steps it can be interrupted. */
const pagesPerStep = 1_000;

/**
 * Backs up a database as of one point in time, while this process and others go on writing to it. The backup is one file, only
 * readable by its owner, and appears once it is on the disk and its integrity has been checked. Its feed of events is another one.
 * It has no free pages, so nothing that was deleted or erased is in it. Unfinished copies beside it, of backups that were killed,
 * are removed. While it runs it needs twice the size of the database.
 * @returns its size in bytes, or undefined when it was interrupted
 * @throws BackupError, or the system's error with the name of the file
 */
export const backupSqlite = async ({
  from,
  to,
  signal,
  show,
}: BackupOptions): Promise<number | undefined> => {
  rejectExisting(to);
  await removeLeftovers(to, { hasPart: false, isLocked });
  const [pages, compact] = [unfinishedName(to), unfinishedName(`${to}.compact`)];
  try {
    await (await create(pages, to)).close();
    await withFileNames(from, to, () => copyPages(from, pages, signal, show));
    if (signal.aborted) return undefined;
    const handle = await create(compact, to);
    try {
      await withFileNames(from, to, async () => {
        compactCopy(pages, compact);
        completeCopy(compact, from);
      });
      await handle.sync();
      const { size } = await handle.stat();
      // Unlike a rename, a link never replaces a file that was created meanwhile.
      await link(compact, to).catch((error) => rethrowWithPath(to, error));
      await fsyncFolder(dirname(to));
      return size;
    } finally {
      await handle.close();
    }
  } finally {
    for (const file of [pages, compact])
      for (const suffix of suffixes) await rm(`${file}${suffix}`, { force: true });
  }
};

/** Creates an empty file that only its owner can read. @throws the system's error with the name of the backup */
const create = (file: string, to: string): Promise<FileHandle> =>
  open(file, 'wx', 0o600).catch((error) => rethrowWithPath(to, error));

const rejectExisting = (to: string): void => {
  const existing = suffixes.map((suffix) => `${to}${suffix}`).find((file) => existsSync(file));
  if (existing !== undefined) throw new BackupError(`${existing} exists already, and is not overwritten.`);
};

/** SQLite locks the copy while it writes and checks it, also for processes in other containers, whose numbers mean nothing here. */
const isLocked = (copy: string): boolean => {
  let database: Database | undefined;
  try {
    database = new BetterSqlite3(copy, { fileMustExist: true, timeout: 0 });
    database.exec('begin exclusive');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
};

/** Reads in one transaction. Without it SQLite restarts the backup at every commit of another process. */
const copyPages = async (
  from: string,
  to: string,
  signal: AbortSignal,
  show: BackupOptions['show'],
): Promise<void> => {
  const reader = new BetterSqlite3(from, { readonly: true, timeout: busyTimeoutMs.atStartup });
  try {
    reader.exec('begin');
    if (appliedMigrations(reader).length === 0) throw new BackupError(`${from} is not a Portico database.`);
    await reader.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        if (signal.aborted) throw new Interrupted();
        show(totalPages - remainingPages, totalPages);
        return pagesPerStep;
      },
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    reader.close();
  }
};

class Interrupted extends Error {}

/**
 * Writes the rows of a copy to an empty file. The pages of the copy still have texts that were deleted: SQLite overwrites them later.
 * Of the source itself SQLite would do so in one step, which no interruption ends and which shows no progress.
 */
const compactCopy = (pages: string, to: string): void => {
  const copy = new BetterSqlite3(pages);
  try {
    copy.pragma('journal_mode = delete');
    copy.prepare('vacuum into ?').run(to);
  } finally {
    copy.close();
  }
};

const completeCopy = (file: string, from: string): void => {
  const copy = new BetterSqlite3(file);
  try {
    // A database in WAL mode cannot be opened in a folder where no file can be created.
    copy.pragma('journal_mode = delete');
    const damage = findDamage(copy);
    if (damage !== undefined) throw new BackupError(`${from} is damaged: ${damage}.`);
    renewCopiedFeed(copy, randomUUID());
  } finally {
    copy.close();
  }
};

const findDamage = (database: Database): string | undefined => {
  const found = database.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') return String(found).replaceAll(/\s+/g, ' ');
  const dangling = database.pragma('foreign_key_check', { simple: true });
  return dangling === undefined ? undefined : `${dangling} has rows that refer to missing rows`;
};

/** Names the file in an error of the driver, which does not. */
const withFileNames = async (from: string, to: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    throw error.code === 'SQLITE_FULL'
      ? new BackupError(`${to} cannot be written because its disk is full.`, error)
      : new BackupError(`${from} cannot be copied: ${error.message}.`, error);
  }
};
