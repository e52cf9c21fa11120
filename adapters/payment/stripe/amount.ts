import type { Money } from '#domain/money.ts';

/**
 * Almost always Stripe counts in ISO 4217's minor unit. It still counts hundredths of these, which have lost them, and it
 * counts the whole of the ariary, which has fifths. https://docs.stripe.com/currencies#special-cases
 *
 * Of currencies with three decimals it takes multiples of ten only, and refuses what is none.
 */
const inHundredths: ReadonlySet<string> = new Set(['ISK', 'UGX']);
const inWholes: ReadonlySet<string> = new Set(['MGA']);

/** As Stripe counts it; a fraction, which it refuses, where it cannot. */
export const stripeAmount = ({ amount, currency }: Money): number => {
  if (inHundredths.has(currency)) return amount * 100;
  return inWholes.has(currency) ? amount / 100 : amount;
};

export const stripeCurrency = ({ currency }: Money): string => currency.toLowerCase();
