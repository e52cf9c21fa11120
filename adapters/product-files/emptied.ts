import type { ProductFields } from './product.ts';

/** Fields whose removal changes what is sold, as columns are named, and what it does to a product. */
export const emptiedWords = {
  stock: 'stock no longer counted',
  quantity_step: 'ordered in any quantity',
  tax_rate: 'no tax shown',
} as const;

export type EmptiedField = keyof typeof emptiedWords;

const emptiable: readonly EmptiedField[] = ['stock', 'quantity_step', 'tax_rate'];

type Stored = Readonly<Record<EmptiedField, number | null>>;

/** @returns the fields that changes would empty, of a product that has them */
export const emptiedBy = (changes: ProductFields, existing: Stored): readonly EmptiedField[] =>
  emptiable.filter((field) => changes[field] === null && existing[field] !== null);

export const emptiedReason = (fields: readonly EmptiedField[], existing: Stored): string =>
  fields.map((field) => `${field} is empty, so ${consequences[field](existing)}`).join('; ');

const consequences: Readonly<Record<EmptiedField, (existing: Stored) => string>> = {
  stock: ({ stock }) => `the ${stock} in stock would no longer be counted`,
  quantity_step: () => 'any quantity could be ordered',
  tax_rate: () => 'no tax would be shown',
};

/**
 * Counts products whose fields are emptied: `stock no longer counted: 3, no tax shown: 1`.
 * @returns an empty text when there is none
 */
export const emptiedText = (countOf: (field: EmptiedField) => number): string =>
  emptiable
    .flatMap((field) => (countOf(field) === 0 ? [] : `${emptiedWords[field]}: ${countOf(field)}`))
    .join(', ');
