import { invalidField } from './errors.ts';
import type { Quantity } from './quantity.ts';
import { integer, type TextRule } from './rule.ts';

/** An amount in the minor unit of its currency (cents, yen): always a whole number. */
export interface Money {
  /** From 0 to 2^53-1. */
  readonly amount: number;
  /** An ISO 4217 code. */
  readonly currency: string;
}

const currencies = Intl.supportedValuesOf('currency');
const knownCurrencies: ReadonlySet<string> = new Set(currencies);

/** The currencies whose minor unit is not a hundredth, by its number of decimals: ISO 4217, list one. Intl follows CLDR, which differs. */
const otherDecimals: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals] as const)),
);

const thousandths = 1000n;

export const Money = {
  amount: integer(0, Number.MAX_SAFE_INTEGER),

  /** The ISO 4217 codes that this Node knows (https://tc39.es/ecma402/#sec-availablecanonicalcurrencies). */
  currencies,

  currency: {
    minLength: 3,
    maxLength: 3,
    pattern: /^[A-Z]{3}$/,
    violation: (code) =>
      knownCurrencies.has(code) ? undefined : 'must be an ISO 4217 code in capitals, such as EUR',
  } satisfies TextRule,

  /** How many decimals a price has in a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
  decimalsOf: (currency: string): number => otherDecimals.get(currency) ?? 2,

  /** Whether a provider can have moved an amount of this money: more than nothing, and at most all of it. */
  isPart: ({ amount, currency }: Money, whole: Money): boolean =>
    Number.isSafeInteger(amount) && amount > 0 && amount <= whole.amount && currency === whole.currency,

  /** For messages: the amount in the minor unit, and the currency. */
  format: ({ amount, currency }: Money): string => `${amount} ${currency}`,

  zero: (currency: string): Money => ({ amount: 0, currency }),

  equals: (one: Money, other: Money): boolean =>
    one.amount === other.amount && one.currency === other.currency,

  /**
   * The price of a quantity, rounded half away from zero to the minor unit.
   * @throws DomainError 'validation' on `quantity` when the total exceeds 2^53-1
   */
  times: (price: Money, quantity: Quantity): Money => {
    const total = (BigInt(price.amount) * BigInt(quantity) + thousandths / 2n) / thousandths;
    return { amount: requireSafeAmount(total), currency: price.currency };
  },

  /** @throws DomainError 'validation' on `quantity` when the sum exceeds 2^53-1 */
  plus: (one: Money, other: Money): Money => ({
    amount: requireSafeAmount(BigInt(one.amount) + BigInt(other.amount)),
    currency: one.currency,
  }),

  /** Requires that `other` has the same currency and is at most `one`. */
  minus: (one: Money, other: Money): Money => ({
    amount: one.amount - other.amount,
    currency: one.currency,
  }),
};

const requireSafeAmount = (total: bigint): number => {
  if (total > BigInt(Number.MAX_SAFE_INTEGER)) throw invalidField('quantity', 'makes the total too large');
  return Number(total);
};
