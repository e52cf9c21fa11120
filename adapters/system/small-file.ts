import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** Keys and certificates are far smaller. In bytes. */
const most = 1024 * 1024;

/** Whoever opens a pipe waits until somebody writes into it, unless told not to. */
const withoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK;

const requireSmall = (file: string, stats: Stats): void => {
  if (!stats.isFile()) throw new Error(`${file} is no regular file.`);
  if (stats.size > most) throw new Error(`${file} is larger than 1 MiB.`);
};

/**
 * The text of a file that a setting names, whatever it names: what is no regular file might never come to an end.
 * @throws when it cannot be read, is no regular file, or is larger than 1 MiB
 */
export const readSmallFileSync = (file: string): string => {
  const descriptor = openSync(file, withoutWaiting);
  try {
    requireSmall(file, fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
};

/** As `readSmallFileSync`, while others are served. */
export const readSmallFile = async (file: string): Promise<string> => {
  const handle = await open(file, withoutWaiting);
  try {
    requireSmall(file, await handle.stat());
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};
