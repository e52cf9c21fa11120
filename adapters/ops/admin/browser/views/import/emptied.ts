// @ts-nocheck
import { formatQuantity } from '../../format.ts';

/** What an empty cell changes of what is sold: its field, how it is counted, and what it does to one product. */
const sold = [
  [
    'stock',
    'stock no longer counted',
    ({ stock }) => `stock is empty, so the ${formatQuantity(stock)} in stock would no longer be counted`,
  ],
  [
    'quantity_step',
    'ordered in any quantity',
    () => 'quantity_step is empty, so any quantity could be ordered',
  ],
  ['tax_rate', 'no tax shown', () => 'tax_rate is empty, so no tax would be shown'],
];

/** @returns which of these fields changes would empty, of a product that has them */
export const emptiedBy = (changes, existing) =>
  sold.map(([field]) => field).filter((field) => changes[field] === null && existing[field] !== null);

export const reasonOfEmptied = (emptied, existing) =>
  sold
    .filter(([field]) => emptied.includes(field))
    .map(([, , reason]) => reason(existing))
    .join('; ');

/**
 * Counts products whose fields are emptied: `stock no longer counted: 3, no tax shown: 1`.
 * @param lists the emptied fields of each product
 * @returns an empty text when there is none
 */
export const emptiedText = (lists) =>
  sold
    .map(([field, words]) => [words, lists.filter((fields) => fields.includes(field)).length])
    .flatMap(([words, count]) => (count === 0 ? [] : `${words}: ${count}`))
    .join(', ');
