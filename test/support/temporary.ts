import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A temporary folder for the tests of the surrounding `describe`, created on first use and removed after the last test.
 */
export const temporaryFolder = (): ((...names: readonly string[]) => string) => {
  let folder: string | undefined;
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  return (...names) => {
    folder ??= mkdtempSync(join(tmpdir(), 'portico-'));
    return join(folder, ...names);
  };
};
