import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fsyncFolder, rethrowWithPath } from '#adapters/support/folder.ts';
import { removeLeftovers, unfinishedName } from '#adapters/support/unfinished-files.ts';
import { folderNamed } from '../framework/exit-codes.ts';

/** Resolves when the target accepts more. */
export type Print = (text: string) => Promise<void>;

/**
 * Replaces a file atomically: until all is written and synced, the old content stays. A symbolic link is followed. A pipe
 * or a device is written directly.
 * @param writeAll returns whether it has written everything; otherwise the file stays as it was
 * @throws UsageError for a folder, and otherwise the system's error with the name of the file
 */
export const writeAtomically = async (
  file: string,
  writeAll: (print: Print) => Promise<boolean>,
): Promise<void> => {
  const named = <T>(work: Promise<T>): Promise<T> => work.catch((error) => rethrowWithPath(file, error));
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isDirectory()) throw folderNamed(file);
  const isDirect = existing === undefined ? await isSymbolicLink(file) : !existing.isFile();
  const target = existing?.isFile() ? await named(realpath(file)) : file;
  const temporary = isDirect ? undefined : unfinishedName(target, randomBytes(4).toString('hex'));
  if (temporary !== undefined) await removeLeftovers(target, { hasPart: true });
  const { O_WRONLY, O_CREAT } = constants;
  const handle = await named(
    temporary === undefined ? open(file, existing ? O_WRONLY : O_WRONLY | O_CREAT) : open(temporary, 'wx'),
  );
  try {
    if (existing && temporary !== undefined) await named(copyOwnerAndMode(handle, existing));
    const isComplete = await writeAll((text) => named(handle.appendFile(text)));
    if (!isComplete || temporary === undefined) return await named(handle.close());
    // After a power loss either the old or the new file is there, and complete.
    await named(handle.sync());
    await named(handle.close());
    await named(rename(temporary, target));
    await fsyncFolder(dirname(target));
  } finally {
    // After the writing has ended well, it is closed already.
    await handle.close().catch(() => undefined);
    if (temporary !== undefined) await rm(temporary, { force: true });
  }
};

const isSymbolicLink = (file: string): Promise<boolean> =>
  lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** The new file must not be readable by more users than the one that it replaces. */
const copyOwnerAndMode = async (
  handle: FileHandle,
  { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> => {
  // Only root may give a file away. Anyone else's new file is their own.
  await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & 0o777);
};
