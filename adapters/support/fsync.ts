import { open } from 'node:fs/promises';

/** A file is found again after a power loss when its folder is on the disk, too. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Rejects with the system's error as it is, but for the name of the file: the one that somebody has written, and no other. */
export const rejectNaming = (path: string, error: unknown): never => {
  throw error instanceof Error ? Object.assign(error, { path }) : error;
};
