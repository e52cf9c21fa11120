import type { Money } from '#domain/money.ts';

/**
 * Stripe counts in ISO 4217's minor unit, with exceptions: hundredths for ISK and UGX, which have none, and whole units for
 * MGA, which has fifths. https://docs.stripe.com/currencies#special-cases
 *
 * In currencies with three decimals Stripe accepts multiples of ten only, and rejects other amounts.
 */
const inHundredths: ReadonlySet<string> = new Set(['ISK', 'UGX']);
const inWholes: ReadonlySet<string> = new Set(['MGA']);

/** An amount in Stripe's unit. It is a fraction, which Stripe rejects, when the unit cannot express the amount. */
export const stripeAmount = ({ amount, currency }: Money): number => {
  if (inHundredths.has(currency)) return amount * 100;
  return inWholes.has(currency) ? amount / 100 : amount;
};

/** The inverse of `stripeAmount`. What Stripe does not report becomes an amount that equals no other. */
export const moneyOf = (stated: number | undefined, inCurrency: string | undefined): Money => {
  const currency = String(inCurrency).toUpperCase();
  const units = stated ?? Number.NaN;
  if (inHundredths.has(currency)) return { amount: units / 100, currency };
  return { amount: inWholes.has(currency) ? units * 100 : units, currency };
};

export const stripeCurrency = ({ currency }: Money): string => currency.toLowerCase();
