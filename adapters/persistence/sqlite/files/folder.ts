import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents where they are missing. Node's recursive `mkdir` does not end where a file system accepts
 * no folders at all, such as below `/proc`.
 * @throws the system's error when one of them cannot be created
 */
export const createFolder = async (folder: string): Promise<void> => {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await createFolder(parent);
  try {
    await mkdir(folder);
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
