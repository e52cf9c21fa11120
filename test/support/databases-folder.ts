import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';

/** In bytes: the servers of a whole run with much to spare. */
const plentyForServers = 6 * 2 ** 30;

/** In bytes: the files of a whole run with much to spare. */
const plentyForFiles = 2 ** 30;

/**
 * Where servers of the tests keep databases that may be lost: in memory where there is plenty, because it takes less time than a
 * disk, and otherwise beside other temporary files.
 */
export const databasesFolder = (): string => folderWith(plentyForServers);

/** The same for SQLite files. */
export const filesFolder = (): string => folderWith(plentyForFiles);

const folderWith = (plenty: number): string => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) > plenty ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
};
