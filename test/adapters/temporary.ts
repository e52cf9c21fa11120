import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the tests of the surrounding `describe`, removed behind the last of them. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-'));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
};
