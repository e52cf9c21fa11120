import { mintToken } from '#adapters/auth/token.ts';
import { describeApi } from '#adapters/http/versions.ts';
import { sandboxProvider } from '#adapters/payment/sandbox.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { useCases } from '#application/portico.ts';
import { machineClock, newId } from '../machine.ts';

const { sandboxLedger } = await openMemory();

/** What the API says that it takes and answers. */
export const document = describeApi(
  useCases({ clock: machineClock, newId, mintToken, provider: sandboxProvider(sandboxLedger) }),
);
