import type { Store } from '../store.ts';
import { memorySandboxLedger } from './sandbox-ledger.ts';
import { MemoryUnitOfWork } from './unit-of-work.ts';

/** A store that lives and dies with the process. */
export const openMemory = async (): Promise<Store> => ({
  unitOfWork: new MemoryUnitOfWork(),
  sandboxLedger: memorySandboxLedger(),
  quotas: undefined,
  isNew: true,
  now: async () => Date.now(),
  queueDelay: () => 0,
  schema: async () => ({ pending: [], unknown: [] }),
  close: async () => undefined,
});
