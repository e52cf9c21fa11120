import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import type { SandboxLedger, Store } from '../store.ts';
import { MemoryUnitOfWork } from './unit-of-work.ts';

export { retryOnConflict } from '../retry.ts';
export type { CustomStore, Inspection, Store } from '../store.ts';
export { MemoryUnitOfWork } from './unit-of-work.ts';

/** Opens a store that ends with the process. */
export const openMemory = async (): Promise<Store> => {
  const unitOfWork = new MemoryUnitOfWork();
  const delay = estimateQueueDelay(() => unitOfWork.stats);
  return {
    unitOfWork,
    sandboxLedger: memorySandboxLedger(),
    quotas: undefined,
    isNew: true,
    now: async () => Date.now(),
    queueDelay: (purpose) => (purpose === 'read' ? 0 : delay()),
    schema: async () => ({ pending: [], unknown: [] }),
    close: async () => undefined,
  };
};

export const memorySandboxLedger = (): SandboxLedger => {
  const verdicts = new Map<string, string>();
  return {
    find: async (id) => verdicts.get(id),
    keep: async (id, verdict) => {
      const first = verdicts.get(id) ?? verdict;
      verdicts.set(id, first);
      return first;
    },
  };
};
