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
    charge: (charge) => inTime(provider.charge(charge)),
    reverse: (reversal) => inTime(provider.reverse(reversal)),
    findCharge: (payment) => inTime(provider.findCharge(payment)),
    findReversal: (refund) => inTime(provider.findReversal(refund)),
  };
};

const tooLate = (): ApplicationError =>
  new ApplicationError('provider-timeout', 'The payment provider did not answer in time.');
