import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { CompleteChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { machineClock } from '../../support/machine.ts';

/** What a provider can offer later. */
export type Capability = keyof CompleteChargeLifecycle;

/**
 * A provider from outside that does what the sandbox does, and offers no more than is listed.
 * @param offered nothing for a provider that was written before any could be asked later
 */
export const offeringProvider = async (...offered: readonly Capability[]): Promise<PaymentProvider> => {
  const { sandboxLedger } = await openMemory();
  const { lifecycle, charge, closeCharge, refund, closeRefund } = sandboxProvider(
    sandboxLedger,
    machineClock,
  );
  const earlier = {
    charge,
    closeCharge,
    refund,
    closeRefund,
    name: 'mine',
    idempotencyWindowMs: 3_600_000,
  };
  if (offered.length === 0) return earlier;
  const parts = Object.entries(lifecycle).filter(([part]) => offered.some((name) => name === part));
  return {
    ...earlier,
    lifecycle: {
      findCharge: lifecycle.findCharge,
      retrieveCharge: lifecycle.retrieveCharge,
      ...Object.fromEntries(parts),
    },
  };
};

/** The text of a module with such a provider, for the folder of another project. */
export const offeringModule = (...offered: readonly Capability[]): string => `
import { offeringProvider } from '${import.meta.url}';

export const apiVersion = 0;
export const openPaymentProvider = () => offeringProvider(...${JSON.stringify(offered)});
`;
