import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

const ownerOnly = 0o600;

/**
 * Creates the file of a database for its owner only, and revokes the access of all users to an existing one. SQLite gives its `-wal` and
 * `-shm` the mode of the file. Where that fails, SQLite reports the error.
 */
export const protectFile = (file: string): void => {
  // An existing file is never opened here: closing it would release the locks that this process holds on it.
  if (!existsSync(file)) ignoringErrors(() => closeSync(openSync(file, 'a', ownerOnly)));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) ignoringErrors(() => protect(path));
};

const protect = (path: string): void => {
  if (!existsSync(path)) return;
  const mode = statSync(path).mode & 0o777;
  if (protectedMode(mode) !== mode) chmodSync(path, protectedMode(mode));
};

/**
 * Access that a umask has given to all users is revoked from the group as well, unless the group may write. A group that was given
 * access on purpose (0640, 0660) keeps it.
 */
const protectedMode = (mode: number): number => {
  if ((mode & 0o007) === 0) return mode;
  return (mode & 0o020) === 0 ? mode & 0o700 : mode & 0o770;
};

const ignoringErrors = (act: () => void): void => {
  try {
    act();
  } catch {
    // SQLite reports it when it opens the file.
  }
};
