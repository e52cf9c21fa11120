import { sandboxProvider } from '#adapters/payment/sandbox.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { ProviderHarness } from './payment-provider.ts';

/** The provider of the sandbox, with nothing in its books. */
export const openSandbox = async (): Promise<ProviderHarness> => {
  const { sandboxLedger, close } = await openMemory();
  const verdicts = new Map<string, string>();
  const ledger = {
    find: sandboxLedger.find,
    keep: async (id: string, verdict: string) => {
      const standing = await sandboxLedger.keep(id, verdict);
      verdicts.set(id, standing);
      return standing;
    },
  };
  return {
    provider: sandboxProvider(ledger),
    good: 'tok_ok',
    bad: 'tok_declined',
    lose: async () => 'tok_error',
    movements: async () => [...verdicts.values()].filter((text) => 'reference' in JSON.parse(text)).length,
    close,
  };
};
