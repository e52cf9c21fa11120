import type { Rule } from './rule.ts';

declare const kind: unique symbol;

/**
 * How much of a product, counted in thousandths so that every sum is exact: 1.5 kg is 1500.
 * Goods are sold by weight too, hence no whole numbers.
 */
export type Quantity = number & { readonly [kind]: 'quantity' };

const scale = 1000;
const most = 1_000_000;

/** What a decimal number may be as people write it. */
export interface DecimalRule extends Rule<number> {
  /** Whether it must be more than 0, instead of no less. */
  readonly above: boolean;
  readonly most: number;
  /** How many decimals it has at the most. */
  readonly decimals: number;
}

const rule = (above: boolean): DecimalRule => ({
  above,
  most,
  decimals: 3,
  fault: (value) => {
    if (Object.is(value, -0) || !(above ? value > 0 : value >= 0)) {
      return above ? 'must be greater than 0' : 'must be 0 or more';
    }
    if (value > most) return `must be at most ${most}`;
    return Math.round(value * scale) / scale === value ? undefined : 'must have at most three decimals';
  },
});

export const Quantity = {
  /** What can be ordered. */
  ordered: rule(true),
  /** What can be in stock. */
  stocked: rule(false),
  none: 0 as Quantity,
  most: (most * scale) as Quantity,

  /** @param value a decimal number that a rule above has accepted */
  of: (value: number): Quantity => Math.round(value * scale) as Quantity,

  toNumber: (quantity: Quantity): number => quantity / scale,

  plus: (one: Quantity, other: Quantity): Quantity => (one + other) as Quantity,

  least: (one: Quantity, other: Quantity): Quantity => (one < other ? one : other),

  minus: (one: Quantity, other: Quantity): Quantity => (one - other) as Quantity,
};
