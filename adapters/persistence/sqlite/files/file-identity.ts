import { statSync } from 'node:fs';
import { unavailable } from '../../sql/constraint-errors.ts';

/** At most one check of the files per interval where every transaction asks for one before it begins, in milliseconds. */
const checkIntervalMs = 1_000;

export interface FileIdentityGuard {
  /** Compares the files now. @throws ApplicationError 'unavailable' when one was removed or replaced */
  checkNow(): void;
  /** Compares the files unless that has just been done. @throws ApplicationError 'unavailable' as `checkNow` does */
  check(): void;
}

/**
 * Detects that the database file or its WAL was removed or replaced since it was opened (another inode). An open descriptor
 * keeps accepting writes then, and all of them are lost when the process ends.
 */
export const guardFileIdentity = (file: string): FileIdentityGuard => {
  const stateOf = (): string => [file, `${file}-wal`].map(identityOf).join(' ');
  const opened = stateOf();
  let checkedAt = performance.now();
  let isSame = true;

  const requireSame = (): void => {
    if (!isSame) throw unavailable(new Error(`${file} has been removed or replaced since it was opened.`));
  };
  const checkNow = (): void => {
    checkedAt = performance.now();
    isSame = stateOf() === opened;
    requireSame();
  };
  return {
    checkNow,
    check: () => (performance.now() - checkedAt < checkIntervalMs ? requireSame() : checkNow()),
  };
};

/** A database in memory has no files that could be replaced. */
export const noFiles: FileIdentityGuard = { checkNow: () => undefined, check: () => undefined };

const identityOf = (path: string): string => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
};
