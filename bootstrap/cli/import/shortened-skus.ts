import { withLeadingZeros } from '#adapters/product-files/ruined-values.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import type { FindStored } from './stored-products.ts';

/** A query serves hundreds of values, and each number has up to fourteen. */
const numbersAtOnce = 50;

/**
 * Finds new numbers beside stored ones that differ only by zeros at the front: 123 beside 00123.
 * @returns the stored SKU of each of these products, by its own
 */
export const findShortened = async (
  products: readonly ImportedProduct[],
  find: FindStored,
): Promise<ReadonlyMap<string, string>> => {
  const numbers = products.map(({ sku }) => sku).filter((sku) => withLeadingZeros(sku).length > 0);
  const shortened = new Map<string, string>();
  for (let begin = 0; begin < numbers.length; begin += numbersAtOnce) {
    const some = numbers.slice(begin, begin + numbersAtOnce);
    const stored = await find(
      some.flatMap((sku) => [sku, ...withLeadingZeros(sku)].map((one) => ({ sku: one }))),
    );
    for (const sku of some) {
      const longer = withLeadingZeros(sku).find((one) => stored({ sku: one }) !== undefined);
      if (stored({ sku }) === undefined && longer !== undefined) shortened.set(sku, longer);
    }
  }
  return shortened;
};
