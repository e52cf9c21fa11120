import { type DecimalRule, tooPrecise } from './quantity.ts';
import { negativeZero } from './rule.ts';

declare const kind: unique symbol;

/** A tax rate in thousandths of a percent, so that sums are exact: 19 % is 19000. */
export type TaxRate = number & { readonly [kind]: 'tax-rate' };

const scale = 1000;
const maximum = 100;

export const TaxRate = {
  /** The rule for a rate in percent. */
  percent: {
    minimum: 0,
    isPositive: false,
    maximum,
    maxDecimals: 3,
    tooPrecise,
    violation: (value) => {
      if (Object.is(value, -0)) return negativeZero;
      if (!(value >= 0 && value <= maximum)) return `must be from 0 to ${maximum}`;
      return Math.round(value * scale) / scale === value ? undefined : tooPrecise;
    },
  } satisfies DecimalRule,

  max: (maximum * scale) as TaxRate,

  /** @param percent a decimal number that satisfies the rule above */
  of: (percent: number): TaxRate => Math.round(percent * scale) as TaxRate,

  /** @returns percent */
  toNumber: (rate: TaxRate): number => rate / scale,
};

/** What the items of an order with one tax rate cost together, tax included, before any discount. */
export interface RatedAmount {
  readonly rate: TaxRate;
  /** In the minor unit of the order's currency. */
  readonly gross: number;
}
