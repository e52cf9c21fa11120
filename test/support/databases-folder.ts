import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';

/** In bytes: the databases of a whole run with much to spare. */
const plenty = 6 * 2 ** 30;

/**
 * Where servers of the tests keep databases that may be lost: in memory where there is plenty, because it takes less time than a
 * disk, and otherwise beside other temporary files.
 */
export const databasesFolder = (): string => {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > plenty ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
};
