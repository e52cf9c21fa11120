import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

const callbacks = new Set<() => Promise<void>>();

/** Calls it once after all tests of this process, where one process runs them all. */
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
  Object.assign(process.env, { TEST_RUN_FOLDER: mkdtempSync(join(tmpdir(), 'portico-run-')) });
  // Also of a run that is interrupted.
  atExit(removeFolder);
};

export const endRun = async (): Promise<void> => {
  await Promise.all([...callbacks].map((callback) => callback()));
  removeFolder();
};

const removeFolder = (): void => rmSync(folderOfRun(), { recursive: true, force: true });
