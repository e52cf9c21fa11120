import { statSync } from 'node:fs';
import { unavailable } from '../refusals.ts';

/** Between two looks, in milliseconds, where every transaction asks before it begins. */
const pause = 1_000;

export interface SameFiles {
  /** Looks now. @throws ApplicationError 'unavailable' */
  look(): void;
  /** Looks where nobody has for a while. @throws ApplicationError 'unavailable' */
  require(): void;
}

/**
 * Whether the files by these names are still those that have been opened. Whoever has a file open goes on writing into
 * it when it has been removed or replaced, and all of that is gone with the process.
 */
export const sameFiles = (file: string): SameFiles => {
  const names = [file, `${file}-wal`];
  const stateOf = (): string => names.map(identityOf).join(' ');
  const opened = stateOf();
  let looked = performance.now();
  let isSame = true;

  const look = (): void => {
    looked = performance.now();
    isSame = stateOf() === opened;
    requireSame();
  };
  const requireSame = (): void => {
    if (!isSame) throw unavailable(new Error(`${file} has been removed or replaced since it was opened.`));
  };
  return {
    look,
    require: () => (performance.now() - looked < pause ? requireSame() : look()),
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
