import { emptiedText } from '#adapters/product-files/emptied.ts';
import { type EmptiedCounts, soldFields } from '#domain/emptied-fields.ts';

/** The column of a field that an error of the application names: `imageUrls` is in `image_urls`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `stock no longer counted: 3, no tax shown: 1`. @returns undefined when nothing was emptied */
export const textOfEmptied = ({
  stock = 0,
  quantityStep = 0,
  taxRate = 0,
}: EmptiedCounts): string | undefined =>
  emptiedText((field) => ({ stock, quantity_step: quantityStep, tax_rate: taxRate })[field]) || undefined;

/** The counts by column, as `--json` prints them. */
export const emptiedByColumn = (counts: EmptiedCounts): object =>
  Object.fromEntries(
    soldFields.flatMap((field) => (counts[field] === undefined ? [] : [[columnOf(field), counts[field]]])),
  );
