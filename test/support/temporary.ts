import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesFolder } from './databases-folder.ts';

type Folder = (...names: readonly string[]) => string;

/**
 * A temporary folder for the tests of the surrounding `describe`, created on first use and removed after the last test.
 */
export const temporaryFolder = (parent: () => string = tmpdir): Folder => {
  let folder: string | undefined;
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  return (...names) => {
    folder ??= mkdtempSync(join(parent(), 'portico-'));
    return join(folder, ...names);
  };
};

/** The same for SQLite files: in memory, where there is plenty. No program can be started from there. */
export const temporaryDatabases = (): Folder => temporaryFolder(filesFolder);
