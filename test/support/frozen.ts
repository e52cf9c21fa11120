import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './until.ts';

/** Waits until every thread of a process has stopped by SIGSTOP. At once where the system has no /proc. */
export const untilFrozen = async (processId: number | undefined): Promise<void> => {
  await until(
    () => threadStates(`/proc/${processId}/task`),
    (states) => states.every((state) => state === stopped),
  );
};

const stopped = 'T';

/** A letter for the state of each thread: proc(5). */
const threadStates = async (threads: string): Promise<readonly string[]> => {
  const ids = await readdir(threads).catch(() => []);
  return Promise.all(
    ids.map(async (id) => {
      // A thread may end before its file is read.
      const line = await readFile(join(threads, id, 'stat'), 'utf8').catch(() => '');
      return /.*\) (\w)/.exec(line)?.[1] ?? stopped;
    }),
  );
};
