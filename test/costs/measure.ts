import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { createDatabase } from '../support/test-databases.ts';
import type { Measurement, NewDatabase } from './count.ts';
import type { Costs } from './table.ts';

/** Counts what each operation costs on a new database of this kind, in a thread that has done nothing else before. */
export const measureCosts = async (kind: StoreKindName): Promise<Record<string, Measurement>> => {
  const { url, remove } = await createDatabase(kind);
  try {
    const workerData: NewDatabase = { kind, url };
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData });
    const ended = once(worker, 'exit').then(([code]) => {
      throw new Error(`The thread has ended with ${code}.`);
    });
    const [measured] = await Promise.race([once(worker, 'message'), ended]);
    ended.catch(() => undefined);
    await worker.terminate();
    return measured;
  } finally {
    await remove();
  }
};

export const costsOf = (measured: Readonly<Record<string, Measurement>>): Record<string, Costs> =>
  Object.fromEntries(Object.entries(measured).map(([name, { costs }]) => [name, costs]));
