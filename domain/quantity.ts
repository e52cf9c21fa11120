import { negativeZero, type Rule } from './rule.ts';

declare const kind: unique symbol;

/**
 * A quantity of a product in thousandths, so that sums are exact: 1.5 kg is 1500.
 * It allows fractions because goods are also sold by weight.
 */
export type Quantity = number & { readonly [kind]: 'quantity' };

const scale = 1000;
const maximum = 1_000_000;

/** The rule for a decimal number in a request. */
export interface DecimalRule extends Rule<number> {
  readonly minimum: number;
  /** Whether the minimum is 0 and is excluded. */
  readonly isPositive: boolean;
  readonly maximum: number;
  /** Maximum number of decimals. */
  readonly maxDecimals: number;
  /** What is wrong with a number that has more decimals. */
  readonly tooPrecise: string;
}

export const tooPrecise = 'must have at most three decimals';

const quantityRule = (isPositive: boolean): DecimalRule => ({
  minimum: 0,
  isPositive,
  maximum,
  maxDecimals: 3,
  tooPrecise,
  violation: (value) => {
    if (Object.is(value, -0)) return isPositive ? 'must be greater than 0' : negativeZero;
    if (!(isPositive ? value > 0 : value >= 0)) {
      return isPositive ? 'must be greater than 0' : 'must be 0 or more';
    }
    return outOfBounds(value);
  },
});

const changeRule: DecimalRule = {
  minimum: -maximum,
  isPositive: false,
  maximum,
  maxDecimals: 3,
  tooPrecise,
  violation: (value) => {
    if (value === 0) return 'must be other than 0';
    return value >= -maximum ? outOfBounds(value) : `must be at least ${-maximum}`;
  },
};

const outOfBounds = (value: number): string | undefined => {
  if (value > maximum) return `must be at most ${maximum}`;
  return Math.round(value * scale) / scale === value ? undefined : tooPrecise;
};

export const Quantity = {
  /** The rule for an ordered quantity. */
  ordered: quantityRule(true),
  /** The rule for a stock. */
  stocked: quantityRule(false),
  /** The rule for a change of a stock: what is added, or removed when it is negative. */
  changed: changeRule,
  zero: 0 as Quantity,
  max: (maximum * scale) as Quantity,

  /** @param value a decimal number that satisfies one of the rules above */
  of: (value: number): Quantity => Math.round(value * scale) as Quantity,

  toNumber: (quantity: Quantity): number => quantity / scale,

  plus: (one: Quantity, other: Quantity): Quantity => (one + other) as Quantity,

  min: (one: Quantity, other: Quantity): Quantity => (one < other ? one : other),

  /** Whether a quantity is a whole multiple of a step, which is above 0. */
  isMultiple: (quantity: Quantity, step: Quantity): boolean => quantity % step === 0,

  minus: (one: Quantity, other: Quantity): Quantity => (one - other) as Quantity,
};
