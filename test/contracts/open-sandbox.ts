import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { ProviderHarness } from './payment-provider.ts';

/** The provider of the sandbox, with nothing in its books. */
export const openSandbox = async (): Promise<ProviderHarness> => {
  const { sandboxLedger, close } = await openMemory();
  /** What the ledger has by id: a charge under that of its payment, a refund on a line of its charge. */
  const entries = new Map<string, string>();
  const ledger = {
    find: sandboxLedger.find,
    keep: async (id: string, verdict: string) => {
      const standing = await sandboxLedger.keep(id, verdict);
      entries.set(id, standing);
      return standing;
    },
  };
  return {
    provider: sandboxProvider(ledger),
    good: 'tok_ok',
    bad: 'tok_declined',
    lose: async () => 'tok_error',
    movements: async () =>
      [...entries].filter(([id, text]) => id.includes('/refunds/') || 'reference' in JSON.parse(text)).length,
    close,
  };
};
