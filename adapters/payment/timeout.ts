import { withTimeout } from '#adapters/support/timeout.ts';
import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';

const timedOut: unique symbol = Symbol('timed out');

/**
 * Bounds each call to a provider.
 * @param timeoutMs after which a call throws ApplicationError 'provider-timeout', in milliseconds
 */
export const withProviderTimeout = (provider: PaymentProvider, timeoutMs: number): PaymentProvider => {
  const bounded = async <T>(call: Promise<T>): Promise<T> => {
    const outcome = await withTimeout(timeoutMs, call, timedOut);
    if (outcome !== timedOut) return outcome;
    throw new ApplicationError('provider-timeout', 'The payment provider did not answer in time.');
  };

  return {
    name: provider.name,
    idempotencyWindowMs: provider.idempotencyWindowMs,
    charge: (charge) => bounded(provider.charge(charge)),
    closeCharge: (charge) => bounded(provider.closeCharge(charge)),
    reverse: (reversal) => bounded(provider.reverse(reversal)),
    closeReversal: (reversal) => bounded(provider.closeReversal(reversal)),
  };
};
