import type { Money } from './money.ts';
import type { RatedAmount, TaxRate } from './tax.ts';

/** What is taxed of an item. */
interface Taxed {
  readonly taxRate: TaxRate | null;
  readonly total: Money;
}

/** The items of an order that are taxed: one entry for each rate, by ascending rate, and none of 0. */
export const TaxedItems = {
  none: [] as readonly RatedAmount[],

  /** Adds an item under its rate. An item without a rate changes nothing. */
  plus: (items: readonly RatedAmount[], { taxRate, total }: Taxed): readonly RatedAmount[] =>
    taxRate === null ? items : withGross(items, taxRate, grossOf(items, taxRate) + total.amount),

  /**
   * Removes an item from its rate, and never more than the rate has: a process of the previous release may have changed the item
   * and not the sum of its rate.
   */
  minus: (items: readonly RatedAmount[], { taxRate, total }: Taxed): readonly RatedAmount[] =>
    taxRate === null ? items : withGross(items, taxRate, Math.max(0, grossOf(items, taxRate) - total.amount)),
};

const grossOf = (items: readonly RatedAmount[], rate: TaxRate): number =>
  items.find((item) => item.rate === rate)?.gross ?? 0;

const withGross = (items: readonly RatedAmount[], rate: TaxRate, gross: number): readonly RatedAmount[] => {
  const others = items.filter((item) => item.rate !== rate);
  return gross === 0 ? others : [...others, { rate, gross }].sort((one, other) => one.rate - other.rate);
};
