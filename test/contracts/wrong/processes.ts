import { MemoryUnitOfWork, openMemory } from '#adapters/persistence/memory/open.ts';
import { emptyTables } from '#adapters/persistence/memory/unit-of-work.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Harness } from '../harness.ts';
import { describeProcesses } from '../processes.ts';
import type { WrongAdapter } from './wrapping.ts';

/** A store over which another process runs units of work of its own. */
const withAnother = async (unitOfWork: StoreUnitOfWork, another: StoreUnitOfWork): Promise<Harness> => ({
  ...(await openMemory()),
  unitOfWork,
  openAnother: async () => ({ unitOfWork: another, close: async () => undefined }),
});

/** Each process runs its units of work one by one, and does not wait for the other. */
const locksOfOneProcess = (): Promise<Harness> => {
  const rows = emptyTables();
  return withAnother(new MemoryUnitOfWork(rows), new MemoryUnitOfWork(rows));
};

const rowsOfOneProcess = (): Promise<Harness> => withAnother(new MemoryUnitOfWork(), new MemoryUnitOfWork());

/** A read with a context is served by a replica, which knows what its own process has committed. */
const replicasThatLag = async (): Promise<Harness> => {
  const rows = emptyTables();
  const primary = new MemoryUnitOfWork(rows);
  const process = (): StoreUnitOfWork => {
    const replica = new MemoryUnitOfWork();
    return {
      run: async (work, context) => {
        const result = await primary.run(work, context);
        await replica.run(work, context).catch(() => undefined);
        return result;
      },
      read: (reading, context) => (context === undefined ? primary : replica).read(reading, context),
    };
  };
  return withAnother(process(), process());
};

/** Adapters that are right in one process. */
export const wrongProcesses: readonly WrongAdapter[] = [
  [
    'locks that hold in one process',
    locksOfOneProcess,
    describeProcesses,
    'lose no update when each locks what it changes',
    'add an idempotency key once, whichever is first',
    'begin one live payment of an order, which the others see',
    'lose when they lock a row, read, insert elsewhere and change the row at the same time (write skew)',
  ],
  [
    'data of one process',
    rowsOfOneProcess,
    describeProcesses,
    'acquire a lease once',
    'claim each task once, and see the events that the other has enqueued',
    'see at once what was committed for the same user in the other process',
  ],
  [
    'replicas that miss what the same user has written in another process',
    replicasThatLag,
    describeProcesses,
    'see at once what was committed for the same user in the other process',
  ],
];
