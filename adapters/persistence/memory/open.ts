import type { Store } from '../store.ts';
import { MemoryUnitOfWork } from './unit-of-work.ts';

/** A store that lives and dies with the process. */
export const openMemory = async (): Promise<Store> => ({
  unitOfWork: new MemoryUnitOfWork(),
  isNew: true,
  now: async () => Date.now(),
  ping: async () => undefined,
  close: async () => undefined,
});
