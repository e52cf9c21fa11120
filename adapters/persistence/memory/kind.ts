import type { StoreKind } from '../store-kind.ts';

const url = 'memory:';

export const memoryKind = {
  name: 'memory',
  product: 'memory',
  urlForms: [url],
  keptIn: undefined,
  hasOwnClock: false,
  sharesFile: false,
  hasPool: false,
  parse: (text) => (text === url ? { url } : undefined),
  isKept: () => false,
  open: async () => (await import('./open.ts')).openMemory(),
  // A store in memory is always up to date.
  inspect: async () => ({
    product: 'memory',
    exists: false,
    applied: [],
    pending: [],
    unknown: [],
    now: Date.now(),
  }),
} as const satisfies StoreKind;
