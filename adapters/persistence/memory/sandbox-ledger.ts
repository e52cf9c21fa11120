import type { SandboxLedger } from '../store.ts';

export const memorySandboxLedger = (): SandboxLedger => {
  const verdicts = new Map<string, string>();
  return {
    find: async (id) => verdicts.get(id),
    keep: async (id, verdict) => {
      const standing = verdicts.get(id) ?? verdict;
      verdicts.set(id, standing);
      return standing;
    },
  };
};
