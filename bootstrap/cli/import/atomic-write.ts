import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fsyncFolder, rethrowWithPath } from '#adapters/support/fsync.ts';
import { UsageError } from '../framework/exit-codes.ts';

/** Takes what is to be written; resolves when there is room for more. */
export type Print = (text: string) => Promise<void>;

/**
 * Writes into a file, which is there when all of it is, and stays as it was when it is not to be. What is no file, as a
 * pipe or a device, takes it as it comes.
 * @param writeWith says at its end whether that is all
 * @throws UsageError when it is a folder, and otherwise the system's error with the name of the file
 */
export const writeAtomically = async (
  file: string,
  writeWith: (print: Print) => Promise<boolean>,
): Promise<void> => {
  const named = <T>(work: Promise<T>): Promise<T> => work.catch((error) => rethrowWithPath(file, error));
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`${file} is a folder.`);
  const isStraight = there === undefined ? await isLink(file) : !there.isFile();
  const target = there?.isFile() ? await named(realpath(file)) : file;
  const unfinished = isStraight ? undefined : `${target}.unfinished`;
  if (unfinished !== undefined) await named(rm(unfinished, { force: true }));
  const { O_WRONLY, O_CREAT } = constants;
  const handle = await named(
    unfinished === undefined ? open(file, there ? O_WRONLY : O_WRONLY | O_CREAT) : open(unfinished, 'wx'),
  );
  try {
    if (there && unfinished !== undefined) await named(copyOwnerAndMode(handle, there));
    const isWhole = await writeWith((text) => named(handle.appendFile(text)));
    if (!isWhole || unfinished === undefined) return await named(handle.close());
    // Whatever happens then, one of the two is there, and whole.
    await named(handle.sync());
    await named(handle.close());
    await named(rename(unfinished, target));
    await fsyncFolder(dirname(target));
  } finally {
    await handle.close().catch(() => undefined);
    if (unfinished !== undefined) await rm(unfinished, { force: true });
  }
};

const isLink = (file: string): Promise<boolean> =>
  lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** Whoever may read the file that is replaced may read the new one. */
const copyOwnerAndMode = async (
  handle: FileHandle,
  { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> => {
  await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & 0o777);
};
