import { invalid } from './errors.ts';
import type { Quantity } from './quantity.ts';
import { integer, type TextRule } from './rule.ts';

/** A sum in the minor unit of its currency (cents, yen), never a fraction of it. */
export interface Money {
  /** From 0 to 2^53-1. */
  readonly amount: number;
  /** An ISO 4217 code. */
  readonly currency: string;
}

const currencies = Intl.supportedValuesOf('currency');
const known: ReadonlySet<string> = new Set(currencies);

const thousandths = 1000n;

export const Money = {
  amount: integer(0, Number.MAX_SAFE_INTEGER),

  /** The ISO 4217 codes that this Node knows (https://tc39.es/ecma402/#sec-availablecanonicalcurrencies). */
  currencies,

  currency: {
    least: 3,
    most: 3,
    form: /^[A-Z]{3}$/,
    fault: (code) => (known.has(code) ? undefined : 'must be an ISO 4217 code in capitals, such as EUR'),
  } satisfies TextRule,

  none: (currency: string): Money => ({ amount: 0, currency }),

  equals: (one: Money, other: Money): boolean =>
    one.amount === other.amount && one.currency === other.currency,

  /**
   * The price of a quantity, rounded half away from zero to the minor unit.
   * @throws DomainError 'validation' on `quantity` when the total is more than money can be
   */
  times: (price: Money, quantity: Quantity): Money => {
    const total = (BigInt(price.amount) * BigInt(quantity) + thousandths / 2n) / thousandths;
    return { amount: within(total), currency: price.currency };
  },

  /** @throws DomainError 'validation' when the sum is more than money can be */
  plus: (one: Money, other: Money): Money => ({
    amount: within(BigInt(one.amount) + BigInt(other.amount)),
    currency: one.currency,
  }),

  /** The caller knows that `other` is no more than `one`, in the same currency. */
  minus: (one: Money, other: Money): Money => ({
    amount: one.amount - other.amount,
    currency: one.currency,
  }),
};

const within = (total: bigint): number => {
  if (total > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid('quantity', 'makes the total too large');
  return Number(total);
};
