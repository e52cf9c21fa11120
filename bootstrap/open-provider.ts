import { sandboxProvider } from '#adapters/payment/sandbox.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { PaymentSettings } from './payment.ts';

/** The SDK is loaded by those only who use it. */
export const openProvider = async (
  settings: PaymentSettings,
  sandboxLedger: Store['sandboxLedger'],
  timeoutMilliseconds: number,
): Promise<PaymentProvider> => {
  if (settings.provider === 'sandbox') return sandboxProvider(sandboxLedger);
  const { stripeProvider } = await import('#adapters/payment/stripe.ts');
  return stripeProvider({ ...settings, timeoutMilliseconds });
};
