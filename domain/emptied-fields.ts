import { DomainError } from '#domain/errors.ts';
import type { Product, ProductDetails } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';

/** Fields whose removal changes what is sold: without a stock a product never runs out, without a tax rate none is shown. */
export const soldFields = ['stock', 'quantityStep', 'taxRate'] as const;
export type SoldField = (typeof soldFields)[number];

/** How many products lose each of these fields. Those that no product loses are missing. */
export type EmptiedCounts = Readonly<Partial<Record<SoldField, number>>>;

/** The fields of a product that changes would empty. One that is empty already is not emptied. */
export const emptiedFields = (
  before: Product,
  changes: Partial<Pick<ProductDetails, SoldField>>,
): readonly SoldField[] => soldFields.filter((field) => changes[field] === null && before[field] !== null);

export const withEmptied = (counts: EmptiedCounts, fields: readonly SoldField[]): EmptiedCounts =>
  sumOfEmptied(counts, Object.fromEntries(fields.map((field) => [field, 1])));

export const sumOfEmptied = (one: EmptiedCounts, other: EmptiedCounts): EmptiedCounts =>
  Object.fromEntries(
    soldFields.flatMap((field) => {
      const count = (one[field] ?? 0) + (other[field] ?? 0);
      return count === 0 ? [] : [[field, count]];
    }),
  );

/** @throws DomainError 'validation' on each field that changes would empty */
export const requireNotEmptied = (
  before: Product,
  changes: Partial<Pick<ProductDetails, SoldField>>,
): void => {
  const fields = emptiedFields(before, changes);
  if (fields.length === 0) return;
  const errors = fields.map((field) => ({ field, message: messages[field](before) }));
  throw new DomainError('validation', 'An empty cell changes what is sold.', errors);
};

const messages: Readonly<Record<SoldField, (before: Product) => string>> = {
  stock: ({ stock }) =>
    `is empty, so the ${stock === null ? 0 : Quantity.toNumber(stock)} in stock would no longer be counted`,
  quantityStep: () => 'is empty, so any quantity could be ordered',
  taxRate: () => 'is empty, so no tax would be shown',
};
