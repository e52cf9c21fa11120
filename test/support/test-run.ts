import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

const callbacks = new Set<() => Promise<void>>();

/** Calls it once after all tests of this process, where one process runs them all, or at the end of a command of the laboratory. */
export const atEndOfRun = (callback: () => Promise<void>): void => {
  callbacks.add(callback);
};

/** A folder that all processes of a run share. It is removed at the end. */
export const folderOfRun = (): string => {
  const { TEST_RUN_FOLDER: folder } = process.env;
  if (folder === undefined) throw new Error('The run has not begun.');
  return folder;
};

/** Mocha's process begins a run, and its workers inherit the environment. */
export const beginRun = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-run-'));
  Object.assign(process.env, { TEST_RUN_FOLDER: folder });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  atEndOfRun(async () => remove());
  // Also of a run that is interrupted.
  atExit(remove);
};

/** Stops what the tests have shared, such as the database servers. */
export const endRun = async (): Promise<void> => {
  const all = [...callbacks];
  callbacks.clear();
  await Promise.all(all.map((callback) => callback()));
};
