import { type EmptiedCounts, type SoldField, soldFields } from '#domain/emptied-fields.ts';

const consequences: Readonly<Record<SoldField, string>> = {
  stock: 'stock no longer counted',
  quantityStep: 'ordered in any quantity',
  taxRate: 'no tax shown',
};

/** The column of a field that an error of the application names: `imageUrls` is in `image_urls`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `stock no longer counted: 3, no tax shown: 1`. @returns undefined when nothing was emptied */
export const emptiedText = (counts: EmptiedCounts): string | undefined => {
  const parts = soldFields.flatMap((field) =>
    counts[field] === undefined ? [] : [`${consequences[field]}: ${counts[field]}`],
  );
  return parts.length === 0 ? undefined : parts.join(', ');
};

/** The counts by column, as `--json` prints them. */
export const emptiedByColumn = (counts: EmptiedCounts): object =>
  Object.fromEntries(
    soldFields.flatMap((field) => (counts[field] === undefined ? [] : [[columnOf(field), counts[field]]])),
  );
