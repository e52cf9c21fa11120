import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../config/database.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warn, fail } = findingsOf('disk');

const mebibyte = 1024 * 1024;

/** Free space below which it gets tight, in bytes. */
const tight = 512 * mebibyte;

/** Whether the file of SQLite can be written, and has room to grow. */
export const checkDisk = async (database: Database): Promise<readonly Finding[]> => {
  if (database.kind !== 'sqlite' || database.file === ':memory:') return [];
  const { file } = database;
  const folder = await firstThere(dirname(file));
  const locked = (await isLocked(folder)) ? folder : (await isLocked(file)) ? file : undefined;
  if (locked !== undefined) {
    const remedy = 'Let the user that runs Portico write there, or set DATABASE_URL to another file.';
    return [fail(`${locked} cannot be written`, remedy)];
  }
  if (takesNoFolders.has(await kindOf(folder))) {
    return [fail(`nothing can be kept in ${folder}`, 'Set DATABASE_URL to a file elsewhere.')];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = `${Math.floor((bavail * bsize) / mebibyte).toLocaleString('en')} MiB`;
  if (bavail * bsize >= tight) return [ok(`${folder} can be written and has ${free} left`)];
  return [
    warn(`${folder} has only ${free} left`, 'Make room: without any, nothing can be changed any more.'),
  ];
};

/** What Linux shows of itself as files, by the numbers of its own: `/proc` and `/sys`. */
const takesNoFolders: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

const kindOf = async (folder: string): Promise<number> => (await statfs(folder)).type;

/** The folder itself, or the nearest above it that is there: a start makes the others. */
const firstThere = async (folder: string): Promise<string> => {
  if (dirname(folder) === folder || (await can(folder, constants.F_OK))) return folder;
  return firstThere(dirname(folder));
};

/** Whether something is there and must not be written. */
const isLocked = async (path: string): Promise<boolean> =>
  (await can(path, constants.F_OK)) && !(await can(path, constants.W_OK));

const can = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );
