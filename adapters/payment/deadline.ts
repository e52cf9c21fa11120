import { withTimeout } from '#adapters/support/timeout.ts';
import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';

const late: unique symbol = Symbol('late');

/** A provider that nobody waits for longer than `milliseconds`. */
export const withProviderTimeout = (provider: PaymentProvider, milliseconds: number): PaymentProvider => {
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    const outcome = await withTimeout(milliseconds, answer, late);
    if (outcome === late) throw tooLate();
    return outcome;
  };

  return {
    name: provider.name,
    idempotencyWindowMs: provider.idempotencyWindowMs,
    charge: (charge) => inTime(provider.charge(charge)),
    closeCharge: (charge) => inTime(provider.closeCharge(charge)),
    reverse: (reversal) => inTime(provider.reverse(reversal)),
    closeReversal: (reversal) => inTime(provider.closeReversal(reversal)),
  };
};

const tooLate = (): ApplicationError =>
  new ApplicationError('provider-timeout', 'The payment provider did not answer in time.');
