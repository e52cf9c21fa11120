import { open } from 'node:fs/promises';

/** Flushes a folder to the disk. Without it, a new or renamed file in it may be gone after a power loss. */
export const fsyncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Rethrows a system error under the path that the user named, which may be that of a temporary file instead. */
export const rethrowWithPath = (path: string, error: unknown): never => {
  throw error instanceof Error ? Object.assign(error, { path }) : error;
};
