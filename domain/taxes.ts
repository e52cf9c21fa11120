import { type RatedAmount, TaxRate } from './tax.ts';

/** What an order costs under one tax rate, after its discount. Amounts are in the minor unit of the order's currency. */
export interface Tax {
  readonly rate: TaxRate;
  /** Tax included: `net` + `tax`. */
  readonly gross: number;
  readonly net: number;
  readonly tax: number;
}

/** The parts of an order's price, in the minor unit of its currency. */
export interface PriceParts {
  readonly itemsTotal: number;
  readonly shipping: number;
  /** At most `itemsTotal` + `shipping`. */
  readonly discount: number;
  readonly shippingTaxRate: TaxRate | null;
  readonly taxedItems: readonly RatedAmount[];
}

/** A rate's part of an order before the discount; of what has no rate when `rate` is null. */
interface Group {
  readonly rate: TaxRate | null;
  readonly gross: bigint;
}

/**
 * The taxes of an order by ascending rate. A rate whose gross is 0 before the discount has no entry, and neither has what is not
 * taxed. Prices include tax, and discount and shipping change it (docs/taxes.md).
 */
export const taxesOf = (price: PriceParts): readonly Tax[] => {
  // Most orders of a shop without rates, so this costs them nothing.
  if (price.taxedItems.length === 0 && price.shippingTaxRate === null) return [];
  const groups = groupsOf(price);
  const discounts = spread(BigInt(price.discount), groups);
  return groups.flatMap(({ rate, gross }, index) =>
    rate === null ? [] : [taxOf(rate, gross - (discounts[index] ?? 0n))],
  );
};

const taxOf = (rate: TaxRate, gross: bigint): Tax => {
  const tax = roundedQuotient(gross * BigInt(rate), BigInt(TaxRate.max) + BigInt(rate));
  return { rate, gross: Number(gross), net: Number(gross - tax), tax: Number(tax) };
};

/** Rounds half away from zero; neither operand is negative. */
const roundedQuotient = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** By ascending rate, and last what has no rate. None of them is 0. */
const groupsOf = ({ itemsTotal, shipping, shippingTaxRate, taxedItems }: PriceParts): readonly Group[] => {
  const grossByRate = new Map<TaxRate | null, bigint>();
  const add = (rate: TaxRate | null, gross: bigint) =>
    grossByRate.set(rate, (grossByRate.get(rate) ?? 0n) + gross);
  // A process of the previous release may remove items and keep their rates: no part exceeds what remains of the items.
  let left = BigInt(itemsTotal);
  for (const { rate, gross } of taxedItems) {
    const part = BigInt(gross) < left ? BigInt(gross) : left;
    add(rate, part);
    left -= part;
  }
  add(null, left);
  add(shippingTaxRate, BigInt(shipping));
  return [...grossByRate]
    .map(([rate, gross]) => ({ rate, gross }))
    .filter(({ gross }) => gross > 0n)
    .sort(byRate);
};

const byRate = ({ rate: one }: Group, { rate: other }: Group): number =>
  (one ?? Number.POSITIVE_INFINITY) - (other ?? Number.POSITIVE_INFINITY);

/**
 * Spreads a discount over groups in proportion to their gross. The remainder of rounding down goes, one minor unit each, to the
 * groups with the largest remainder, of equal ones to the first (largest remainder method).
 * @returns the part of each group: none exceeds its gross, and they sum to the discount
 */
const spread = (discount: bigint, groups: readonly Group[]): readonly bigint[] => {
  const sum = groups.reduce((total, { gross }) => total + gross, 0n);
  if (sum === 0n) return [];
  const parts = groups.map(({ gross }) => (discount * gross) / sum);
  const rest = discount - parts.reduce((total, part) => total + part, 0n);
  const byRemainder = groups
    .map(({ gross }, index) => ({ index, remainder: (discount * gross) % sum }))
    .sort((one, other) => Number(other.remainder > one.remainder) - Number(other.remainder < one.remainder));
  for (const { index } of byRemainder.slice(0, Number(rest))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
};
