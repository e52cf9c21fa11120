import { open } from 'node:fs/promises';

export interface DataFile {
  /** Resolves when what has been written to it is on the disk. Nobody else waits meanwhile. */
  sync(): Promise<void>;
  /** Resolves when nobody syncs it any more. */
  close(): Promise<void>;
}

/**
 * A file of SQLite's beside its connections. It has to be closed after all of them: with the first descriptor of a file
 * that is closed, a process loses all its locks on that file (POSIX, `fcntl`), and so would they.
 */
export const openDataFile = async (file: string): Promise<DataFile> => {
  const handle = await open(file, 'r+');
  return { sync: () => handle.datasync(), close: () => handle.close() };
};
