import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A process may have the number of one that has ended. What nothing wrote to for this long belongs to no process. */
const maxAgeMs = 24 * 60 * 60 * 1_000;

/**
 * @param part distinguishes what several processes with the same number write, as containers have them; empty where a lock does
 * @returns the temporary name beside a file, under which this process writes it until it is complete
 */
export const unfinishedName = (file: string, part = ''): string =>
  `${file}.${process.pid}${part && `-${part}`}.unfinished`;

/** A database and the files that SQLite keeps beside it. SQLite would apply a leftover journal to the new database. */
export const suffixes = ['', '-wal', '-shm', '-journal'];

export interface Leftovers {
  /** Whether the names have a part beside the number of the process. */
  readonly hasPart: boolean;
  /** Whether another process holds a lock on such a file. Without locks the number of the process decides. */
  readonly isLocked?: (file: string) => boolean;
}

/**
 * Removes the unfinished files of killed processes from the folder of a file: all that has such a temporary name, unless its process is
 * running or holds a lock on it. A file that cannot be removed stays.
 */
export const removeLeftovers = async (
  file: string,
  { hasPart, isLocked = () => false }: Leftovers,
): Promise<void> => {
  const form = hasPart ? /\.([1-9]\d*)-\w+\.unfinished$/ : /\.([1-9]\d*)\.unfinished(-wal|-shm|-journal)?$/;
  const folder = dirname(file);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const [, pid, suffix = ''] = form.exec(name) ?? [];
    // What SQLite keeps beside a file goes with that file, or before it.
    if (pid === undefined || (suffix !== '' && names.includes(basename(name, suffix)))) continue;
    const path = join(folder, name);
    const isKept = (isRunning(Number(pid)) && (await isRecent(path))) || isLocked(path);
    if (isKept) continue;
    // What cannot be removed now is a leftover for the next run.
    for (const beside of suffixes) await rm(`${path}${beside}`, { force: true }).catch(() => undefined);
  }
};

/** This process has begun nothing yet: what has its number is from an earlier one. */
const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isRecent = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs < maxAgeMs,
    () => false,
  );
