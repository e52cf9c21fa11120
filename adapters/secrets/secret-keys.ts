import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fsyncFolder } from '#adapters/support/folder.ts';
import { unfinishedName } from '#adapters/support/unfinished-files.ts';
import { ApplicationError } from '#application/errors.ts';
import type { SecretKeys } from './secret-box.ts';

/** 32 bytes in the one form of base64 that `openssl rand -base64 32` prints. */
const keyForm = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

export const isSecretKey = (text: string): boolean => keyForm.test(text);

/** 32 random bytes in base64: a key, or the secret of an endpoint. */
export const randomSecret = (): string => randomBytes(32).toString('base64');

/** The keys of the settings: the first seals, and all open. @param configured at least one */
export const configuredKeys = (configured: readonly string[]): SecretKeys => ({
  problem: undefined,
  current: async () => configured[0] ?? '',
  find: async (isWanted) => configured.find(isWanted),
});

/** No key, because several servers would each need the same one. */
export const missingKeys = (problem: string): SecretKeys => ({
  problem,
  current: () => Promise.reject(new ApplicationError('unavailable', problem)),
  find: async () => undefined,
});

/** A key that ends with the process, as the data in memory does. */
export const temporaryKeys = (): SecretKeys => configuredKeys([randomSecret()]);

/** The file that has the key of a database in a file. */
export const keyFileOf = (databaseFile: string): string => `${databaseFile}.secrets-key`;

/**
 * A key in a file that only its owner can read. It is created with the first secret, and once only, whatever processes share the
 * database.
 * @param configured the keys of the settings. The file is read only where none of them opens, so that a damaged file does not stop
 * what they open.
 */
export const keysBeside = (databaseFile: string, configured: readonly string[]): SecretKeys => {
  const file = keyFileOf(databaseFile);
  return {
    problem: undefined,
    current: async () => configured[0] ?? (await readKey(file)) ?? createKey(file),
    find: async (isWanted) => {
      const found = configured.find(isWanted);
      if (found !== undefined) return found;
      const kept = await readKey(file);
      return kept !== undefined && isWanted(kept) ? kept : undefined;
    },
  };
};

/** Why the key file of a database cannot be used. @returns undefined when it can be, or when there is none */
export const keyFileProblem = (databaseFile: string): Promise<string | undefined> =>
  readKey(keyFileOf(databaseFile)).then(
    () => undefined,
    ({ message }: Error) => message,
  );

/** @returns undefined when there is no file @throws ApplicationError 'unavailable' for a file that cannot be used */
const readKey = async (file: string): Promise<string | undefined> => {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ApplicationError('unavailable', `${file} cannot be read.`, error);
  }
  if (isSecretKey(text)) return text;
  throw new ApplicationError('unavailable', `${file} must hold a key: 32 bytes in base64.`);
};

/** The file appears with its whole content, and never in place of another process's. */
const createKey = async (file: string): Promise<string> => {
  const unfinished = unfinishedName(file, randomBytes(4).toString('hex'));
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomSecret()}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(unfinished, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await fsyncFolder(dirname(file));
  } catch (error) {
    throw new ApplicationError('unavailable', `${file} cannot be created.`, error);
  } finally {
    await rm(unfinished, { force: true });
  }
  const key = await readKey(file);
  if (key === undefined) throw new ApplicationError('unavailable', `${file} was removed.`);
  return key;
};
