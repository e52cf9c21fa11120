import { open } from 'node:fs/promises';

/** A file is found again after a power loss when its folder is on the disk, too. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};
