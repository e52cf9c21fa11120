import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { Instant } from '#domain/instant.ts';
import type { FollowedHarness } from './followed-charges.ts';
import type { ProviderHarness } from './payment-provider.ts';
import { noon } from './samples.ts';

/** The provider of the sandbox, with nothing in its books, and a clock that the test advances. */
export const openSandbox = (): Promise<ProviderHarness> => openFollowedSandbox();

/** The same, with payers who consent when the test says so. */
export const openFollowedSandbox = async (): Promise<FollowedHarness> => {
  const { sandboxLedger, close } = await openMemory();
  let now = noon;
  const ids = new Set<string>();
  const ledger = {
    find: sandboxLedger.find,
    keep: (id: string, value: string) => {
      ids.add(id);
      return sandboxLedger.keep(id, value);
    },
  };
  const provider = sandboxProvider(ledger, { now: () => now });
  return {
    provider,
    good: 'tok_ok',
    bad: 'tok_declined',
    asking: 'tok_action',
    consent: async () => {
      now = Instant.plus(now, 2_000);
    },
    lose: async () => 'tok_error',
    movements: async () => {
      let count = 0;
      for (const id of ids) {
        const movements = await provider.followed?.inspect(`sandbox_${id}`);
        if (movements === undefined) continue;
        const { charge, refunds } = movements;
        const isTaken = 'reference' in charge && !('waitsFor' in charge) && !('canceled' in charge);
        count += (isTaken ? 1 : 0) + refunds.filter(({ status }) => status !== 'failed').length;
      }
      return count;
    },
    close,
  };
};
