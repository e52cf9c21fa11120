import { existsSync } from 'node:fs';
import { readdir, realpath, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { inspectStore } from '../../../composition/ports/open-store.ts';
import { isPersistent, keptFileOf, storeKindOf } from '../../../composition/ports/store-kind.ts';
import type { Database } from '../../../config/database.ts';
import { errorLines } from '../../error-messages.ts';

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
    const candidates = await backupsIn(path, database);
    const { found, broken } = await openNewest(candidates, database);
    // A broken file that is named as a backup means that the last one failed, whatever the one before is.
    const failed = broken.find(({ file }) => found === undefined || extname(file) === extname(found.file));
    if (found === undefined || failed !== undefined) {
      const { file, problem } = failed ?? { file: path, problem: 'has no backup' };
      return [backup.fail(`${file} ${problem}`, howTo(database))];
    }
    const hours = Math.max(0, Math.floor((now - found.time) / msPerHour));
    const age = `the newest backup, ${found.file}, is ${hours} ${hours === 1 ? 'hour' : 'hours'} old`;
    if (now - found.time > maxAgeMs) {
      const remedy = `What came since would be lost. Make one every day at least. ${howTo(database)}`;
      return [backup.warn(age, remedy)];
    }
    return [
      isPacked(found, database)
        ? backup.warn(
            `${age}, and compressed or encrypted, so its content is not checked here`,
            'Unpack it, pass the file to portico doctor --production --backups, and practise a restore.',
          )
        : backup.ok(age),
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

/** What lies beside backups and is none. */
const noBackup = /^\.|^README|\.unfinished(-\w+)?$|-(wal|shm|journal)$|\.(log|txt|md|sh|json|sha\d*|md5)$/i;

const packed = /\.(gz|bz2|xz|zst|zip|7z|age|gpg|enc)$/i;

/**
 * The files that may be backups, newest first. Those of SQLite may be in folders; of other databases a folder may be a backup.
 * @throws the system's error when the path cannot be read
 */
const backupsIn = async (path: string, database: Database): Promise<readonly BackupFile[]> => {
  if (!(await stat(path)).isDirectory()) return [await describe(path)];
  const isOneFile = storeKindOf(database).sharesFile;
  const names = await readdir(path, { recursive: isOneFile });
  const found = await Promise.all(
    names
      .filter((name) => !noBackup.test(basename(name)))
      // Another process may remove it meanwhile, and a link may lead nowhere.
      .map((name) => describe(join(path, name)).catch(() => undefined)),
  );
  // The database itself is no backup of it.
  const own = database.file === undefined ? undefined : await realpath(database.file).catch(() => undefined);
  const files: BackupFile[] = [];
  for (const file of found) {
    if (file === undefined || (isOneFile && file.size === undefined)) continue;
    const isOwn = own !== undefined && own === (await realpath(file.file).catch(() => undefined));
    if (!isOwn) files.push(file);
  }
  return files.toSorted((a, b) => b.time - a.time);
};

/** Bounds how many files are opened. */
const maxOpened = 20;

interface Opened {
  /** The newest file that is a backup. */
  readonly found?: BackupFile;
  /** Newer files that are none, newest first. */
  readonly broken: readonly { readonly file: string; readonly problem: string }[];
}

const openNewest = async (candidates: readonly BackupFile[], database: Database): Promise<Opened> => {
  const broken: { file: string; problem: string }[] = [];
  for (const found of candidates.slice(0, maxOpened)) {
    const problem = found.size === 0 ? 'is empty' : await problemOf(database, found);
    if (problem === undefined) return { found, broken };
    broken.push({ file: found.file, problem });
  }
  return { broken };
};

const describe = async (file: string): Promise<BackupFile> => {
  const found = await stat(file);
  return { file, size: found.isDirectory() ? undefined : found.size, time: found.mtimeMs };
};

const isPacked = ({ file }: BackupFile, database: Database): boolean =>
  storeKindOf(database).sharesFile && packed.test(file);

/** Why a file is no backup of that database, as far as Portico can read it: those of SQLite are databases themselves. */
const problemOf = async (database: Database, backupFile: BackupFile): Promise<string | undefined> => {
  if (!storeKindOf(database).sharesFile || isPacked(backupFile, database)) return undefined;
  const { file } = backupFile;
  const hadShared = existsSync(`${file}-shm`);
  try {
    const inspection = await inspectStore({ ...database, url: `sqlite:${file}`, file });
    if (inspection === undefined || inspection.applied.length > 0) return undefined;
    return `is no backup: ${inspection.problem ?? 'it has no tables of Portico'}`;
  } catch (error) {
    return `is no backup: ${errorLines(error).join(' ')}`;
  } finally {
    if (!hadShared) await removeEmptyWal(file);
  }
};

/** SQLite creates both beside a copy of a file in WAL mode. They are no part of the backup. */
const removeEmptyWal = async (file: string): Promise<void> => {
  const wal = await stat(`${file}-wal`).catch(() => undefined);
  if (wal?.size !== 0) return;
  await rm(`${file}-wal`, { force: true });
  await rm(`${file}-shm`, { force: true });
};

/** Whether two copies of the database have room beside it, which a restore needs while it runs. */
export const checkRoom = async (database: Database): Promise<readonly Finding[]> => {
  const file = keptFileOf(database);
  if (file === undefined) return [];
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size === 0) return [];
  const { bavail, bsize } = await statfs(dirname(file));
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / bytesPerMebibyte).toLocaleString('en')} MiB`;
  const sizes = `the database has ${mebibytes(size)}, and ${mebibytes(bavail * bsize)} are free`;
  if (bavail * bsize > 3 * size) return [room.ok(sizes)];
  return [
    room.warn(
      sizes,
      'Free some space: a restore beside the old file needs twice as much while it runs, and changes need more.',
    ),
  ];
};
