import { sandboxProvider } from '#adapters/payment/sandbox.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { SettingError } from '../config/env-parser.ts';
import type { PaymentSettings } from '../config/payment.ts';
import { hasStripe, installStripeHere } from './stripe-package.ts';

/**
 * The SDK is loaded by those only who use it.
 * @throws SettingError where it is not installed
 */
export const openProvider = async (
  settings: PaymentSettings,
  sandboxLedger: Store['sandboxLedger'],
  timeoutMilliseconds: number,
): Promise<PaymentProvider> => {
  if (settings.provider === 'sandbox') return sandboxProvider(sandboxLedger);
  if (!hasStripe()) {
    throw new SettingError(
      'PAYMENT_PROVIDER',
      `is stripe, whose package is not here: run ${installStripeHere}.`,
    );
  }
  const { stripeProvider } = await import('#adapters/payment/stripe/provider.ts');
  return stripeProvider({ ...settings, timeoutMilliseconds });
};
