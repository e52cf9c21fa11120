/** Fields whose removal changes what is sold, as columns are named, and what it does to a product. */
export const emptiedWords = {
  stock: 'stock no longer counted',
  quantity_step: 'ordered in any quantity',
  tax_rate: 'no tax shown',
} as const;

type EmptiedField = keyof typeof emptiedWords;

const emptiable: readonly EmptiedField[] = ['stock', 'quantity_step', 'tax_rate'];

/**
 * Counts products whose fields are emptied: `stock no longer counted: 3, no tax shown: 1`.
 * @returns an empty text when there is none
 */
export const emptiedText = (countOf: (field: EmptiedField) => number): string =>
  emptiable
    .flatMap((field) => (countOf(field) === 0 ? [] : `${emptiedWords[field]}: ${countOf(field)}`))
    .join(', ');
