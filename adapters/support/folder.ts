import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents where they are missing, for their owner only: they hold a database or backups. Node's
 * recursive `mkdir` does not end where a file system accepts no folders at all, such as below `/proc`.
 * @throws the system's error when one of them cannot be created
 */
export const createFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await createFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(folder))) throw error;
  }
};

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Flushes a folder to the disk. Without it, a new or renamed file in it may be gone after a power loss. */
export const fsyncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};

/** Rethrows a system error under the path that the user named, which may be that of a temporary file instead. */
export const rethrowWithPath = (path: string, error: unknown): never => {
  throw error instanceof Error ? Object.assign(error, { path }) : error;
};
