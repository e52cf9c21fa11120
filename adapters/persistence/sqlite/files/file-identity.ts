import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from '../../sql/constraint-errors.ts';

/** Between two looks at the files, in milliseconds, where every transaction asks before it begins. */
const pause = 1_000;

/** How long after a change of a folder another one may leave it with the same times, in milliseconds: some have seconds only. */
const coarseness = 3_000;

export interface SameFiles {
  /** Looks whether a name has changed by now. @throws ApplicationError 'unavailable' */
  look(): void;
  /** Looks at the files where nobody has for a while. @throws ApplicationError 'unavailable' */
  require(): void;
}

/**
 * Whether the files by these names are still those that have been opened. Whoever has a file open goes on writing into
 * it when it has been removed or replaced, and all of that is gone with the process.
 *
 * To look at a file that has just been written takes some 25 µs, and behind every commit there are two. So it is looked at the
 * folder: as long as it is the same, and nothing has been put into it or taken away, a name is what it was.
 * @param coarse see `coarseness`
 */
export const sameFiles = (file: string, coarse = coarseness): SameFiles => {
  const names = [file, `${file}-wal`];
  const folder = dirname(file);
  const stateOf = (): string => names.map(identityOf).join(' ');
  const opened = stateOf();
  let looked = performance.now();
  let isSame = true;
  let unchanged: Folder | undefined;

  const lookAtFiles = (): void => {
    looked = performance.now();
    // In this order: what happens in between shows at the next look.
    const seen = folderAt(folder);
    isSame = stateOf() === opened;
    const showsChanges = seen && Date.now() - Math.max(seen.mtimeMs, seen.ctimeMs) > coarse;
    unchanged = isSame && showsChanges && !names.some(isLink) ? seen : undefined;
    requireSame();
  };
  const requireSame = (): void => {
    if (!isSame) throw unavailable(new Error(`${file} has been removed or replaced since it was opened.`));
  };
  return {
    look: () => (unchanged && isEqual(folderAt(folder), unchanged) ? requireSame() : lookAtFiles()),
    require: () => (performance.now() - looked < pause ? requireSame() : lookAtFiles()),
  };
};

/** In memory there is nothing that somebody could take away. */
export const noFiles: SameFiles = { look: () => undefined, require: () => undefined };

const identityOf = (name: string): string => {
  try {
    const { dev, ino } = statSync(name, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
};

interface Folder {
  readonly dev: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const folderAt = (path: string): Folder | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const isEqual = (one: Folder | undefined, other: Folder): boolean =>
  one !== undefined &&
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.ino === other.ino &&
  one.dev === other.dev;

/** What a name stands for that leads elsewhere may change there. */
const isLink = (name: string): boolean =>
  lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
