import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';
import { filesFolder } from './databases-folder.ts';

type Folder = (...names: readonly string[]) => string;

/**
 * A temporary folder for the tests of the surrounding `describe`, created on first use and removed after the last test, or when the
 * run is interrupted.
 */
export const temporaryFolder = (parent: () => string = tmpdir): Folder => {
  let folder: string | undefined;
  let revoke = (): void => undefined;
  after(() => {
    revoke();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  const create = (): string => {
    const created = mkdtempSync(join(parent(), 'portico-'));
    revoke = atExit(() => rmSync(created, { recursive: true, force: true, maxRetries: 3 }));
    return created;
  };
  return (...names) => {
    folder ??= create();
    return join(folder, ...names);
  };
};

/** The same for SQLite files: in memory, where there is plenty. No program can be started from there. */
export const temporaryDatabases = (): Folder => temporaryFolder(filesFolder);
