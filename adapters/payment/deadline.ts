import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';

/** A provider that nobody waits for longer than `milliseconds`. */
export const withDeadline = (provider: PaymentProvider, milliseconds: number): PaymentProvider => {
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), milliseconds);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    name: provider.name,
    memory: provider.memory,
    charge: (charge) => inTime(provider.charge(charge)),
    closeCharge: (charge) => inTime(provider.closeCharge(charge)),
    reverse: (reversal) => inTime(provider.reverse(reversal)),
    closeReversal: (reversal) => inTime(provider.closeReversal(reversal)),
  };
};

const tooLate = (): ApplicationError =>
  new ApplicationError('provider-timeout', 'The payment provider did not answer in time.');
