import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspectStore } from '../../../composition/open-store.ts';
import { type Database, isPersistent, keptFileOf } from '../../../config/database.ts';
import { storeKindOf } from '../../../config/store-kinds.ts';
import { errorLines } from '../../error-messages.ts';
import { type Finding, findingsFor } from '../finding.ts';

const backup = findingsFor('backup');
const room = findingsFor('room');

const msPerHour = 3_600_000;

/** A daily backup that began a little later than the one before is no reason to warn. */
const maxAgeMs = 26 * msPerHour;

const bytesPerMebibyte = 1024 * 1024;

/** Whether there is a backup of the last day. @param path a backup, or the folder of the backups; undefined when unknown */
export const checkBackups = async (
  database: Database,
  path: string | undefined,
  now = Date.now(),
): Promise<readonly Finding[]> => {
  if (!isPersistent(database)) return [];
  if (path === undefined) {
    const remedy = `Pass their folder: portico doctor --production --backups /backups. ${howTo(database)}`;
    return [backup.warn('no backup was seen', remedy)];
  }
  try {
    const newest = await newestIn(path);
    if (newest === undefined) return [backup.fail(`${path} has no backup`, howTo(database))];
    const { file, size, time } = newest;
    if (size === 0) return [backup.fail(`${file} is empty`, howTo(database))];
    const problem = await problemOf(database, file);
    if (problem !== undefined) return [backup.fail(`${file} is no backup: ${problem}`, howTo(database))];
    const hours = Math.max(0, Math.floor((now - time) / msPerHour));
    const age = `the newest backup, ${file}, is ${hours} ${hours === 1 ? 'hour' : 'hours'} old`;
    return [
      now - time <= maxAgeMs
        ? backup.ok(age)
        : backup.warn(age, `What came since would be lost. Make one every day at least. ${howTo(database)}`),
    ];
  } catch (error) {
    return [backup.fail(errorLines(error).join(' '), 'Pass a folder that this user can read.')];
  }
};

const howTo = (database: Database): string =>
  storeKindOf(database).backup === undefined
    ? 'How to make one: docs/operations.md, "Backup and restore".'
    : 'portico backup FILE makes one while servers run.';

interface BackupFile {
  readonly file: string;
  /** In bytes; undefined for a folder, such as a base backup. */
  readonly size: number | undefined;
  /** When it was last written, in milliseconds since 1970. */
  readonly time: number;
}

/** @throws the system's error when it cannot be read */
const newestIn = async (path: string): Promise<BackupFile | undefined> => {
  if (!(await stat(path)).isDirectory()) return describe(path);
  const names = (await readdir(path)).filter(
    (name) => !name.startsWith('.') && !/\.unfinished(-\w+)?$/.test(name),
  );
  const files = await Promise.all(names.map((name) => describe(join(path, name))));
  return files.toSorted((a, b) => b.time - a.time)[0];
};

const describe = async (file: string): Promise<BackupFile> => {
  const found = await stat(file);
  return { file, size: found.isDirectory() ? undefined : found.size, time: found.mtimeMs };
};

/** Why a file is no backup of that database, as far as Portico can read it: those of SQLite are databases themselves. */
const problemOf = async (database: Database, file: string): Promise<string | undefined> => {
  if (!storeKindOf(database).sharesFile) return undefined;
  try {
    const inspection = await inspectStore({ ...database, url: `sqlite:${file}`, file });
    return inspection === undefined || inspection.applied.length > 0
      ? undefined
      : 'it has no tables of Portico';
  } catch (error) {
    return errorLines(error).join(' ');
  }
};

/** Whether a copy of the database has room beside it, which a restore needs. */
export const checkRoom = async (database: Database): Promise<readonly Finding[]> => {
  const file = keptFileOf(database);
  if (file === undefined) return [];
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size === 0) return [];
  const { bavail, bsize } = await statfs(dirname(file));
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / bytesPerMebibyte).toLocaleString('en')} MiB`;
  const sizes = `the database has ${mebibytes(size)}, and ${mebibytes(bavail * bsize)} are free`;
  if (bavail * bsize > 2 * size) return [room.ok(sizes)];
  return [
    room.warn(
      sizes,
      'Free some space: a restore beside the old file needs as much again, and changes need more.',
    ),
  ];
};
