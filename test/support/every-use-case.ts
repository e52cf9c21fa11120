import { mintToken } from '#adapters/auth/key-authenticator.ts';
import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { memorySandboxLedger } from '#adapters/persistence/memory/open.ts';
import { useCases } from '#application/application.ts';
import { machineClock, newId } from './machine.ts';

/** Every use case, by resource, for tests that ask what there is. They work on whatever store they are run on. */
export const everyUseCase = useCases({
  ...{ clock: machineClock, newId, mintToken },
  provider: sandboxProvider(memorySandboxLedger(), machineClock),
});
