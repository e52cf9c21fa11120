import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isBusy } from '../errors.ts';

/** A database and the files that SQLite keeps beside it. SQLite would apply a leftover journal to the new database. */
export const suffixes = ['', '-wal', '-shm', '-journal'];

/** The name of a copy until it is complete. Another process sees by it whether the one that makes the copy still runs. */
export const unfinishedNameOf = (to: string): string => `${to}.${process.pid}.unfinished`;

const unfinishedName = /^.+\.(\d{1,10})\.unfinished(-wal|-shm|-journal)?$/;

/**
 * Removes the unfinished copies in a folder whose processes were killed. Processes of other containers that share the folder have
 * process ids of their own, so a copy that SQLite has locked stays as well. Errors are ignored: the files only take space.
 */
export const removeAbandoned = (folder: string): void => {
  ignoringErrors(() => {
    for (const name of readdirSync(folder)) {
      const [, pid, suffix = ''] = unfinishedName.exec(name) ?? [];
      if (pid === undefined || isRunning(Number(pid))) continue;
      const copy = join(folder, suffix === '' ? name : name.slice(0, -suffix.length));
      if (!isLocked(copy))
        for (const each of suffixes) ignoringErrors(() => rmSync(`${copy}${each}`, { force: true }));
    }
  });
};

/** Whether another process has this id. This one has not begun its copy, so a copy with its id is from an earlier process. */
const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

const isLocked = (file: string): boolean => {
  if (!existsSync(file)) return false;
  let database: InstanceType<typeof BetterSqlite3> | undefined;
  try {
    database = new BetterSqlite3(file, { fileMustExist: true, timeout: 0 });
    database.exec('begin exclusive; rollback');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
};

const ignoringErrors = (act: () => void): void => {
  try {
    act();
  } catch {
    // The next backup tries again.
  }
};
