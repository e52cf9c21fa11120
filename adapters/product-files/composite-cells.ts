import { exportColumns } from './columns.ts';

/** Cells that hold a whole list, or texts by name, and what other shops write for a value. WooCommerce and Shopify write lists with commas, too. */

/** A comma with blanks or a line end, at which a list is split. WooCommerce writes a comma of an item as `\\,`. */
const separator = /(?<!\\)[,\n]/;

/**
 * The comma of a URL that is written as it is, as image services have it (`w_100,h_100`), separates nothing: the next URL
 * begins behind a separator.
 */
const urlSeparator = /(?<!\\)[,\s]+(?=https?:\/\/|$)/i;

/** A comma of an item that would be read as a separator. */
const ambiguousComma = /,(?=https?:\/\/|,*$)/gi;

const isListOfUrls = (cell: string): boolean => /^\s*https?:\/\//i.test(cell);

/** The items without the blanks around them. Empty ones are left out. */
export const listFromCell = (cell: string): readonly string[] =>
  cell
    .split(isListOfUrls(cell) ? urlSeparator : separator)
    .map((item) => item.trim().replaceAll('\\,', ','))
    .filter((item) => item !== '');

/** The tags of a cell, each once. `Été 2026` becomes `ete-2026`; what is a tag already stays. */
export const tagsFromCell = (cell: string): readonly string[] => {
  const tags = listFromCell(cell).map((item) => (tagPattern.test(item) ? item : slugOf(item)));
  return [...new Set(tags)].filter((tag) => tag !== '');
};

const maxTagLength = 40;
const tagPattern = new RegExp(`^[a-z0-9-]{1,${maxTagLength}}$`);

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxTagLength)
    .replace(/-$/, '');

export const statuses = ['draft', 'active', 'archived'] as const;
export type Status = (typeof statuses)[number];

/** The words of other shops for whether customers see a product. */
const statusWords: ReadonlyMap<string, Status> = new Map([
  ...statuses.map((status) => [status, status] as const),
  ...['published', 'true', 'yes', '1'].map((word) => [word, 'active'] as const),
  ...['unlisted', 'unpublished', 'false', 'no', '0', '-1'].map((word) => [word, 'draft'] as const),
]);

/** @returns undefined for an unknown word */
export const statusFromCell = (cell: string): Status | undefined =>
  statusWords.get(cell.trim().toLowerCase());

export const cellFromList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll(ambiguousComma, '\\,')).join(', ');

/** @returns undefined for what is no JSON object, and for one with a name twice. That its values are texts is not checked. */
export const textsFromCell = (cell: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const texts: unknown = JSON.parse(cell);
    return isObject(texts) && Object.keys(texts).length === countNames(cell) ? texts : undefined;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Counts the strings in front of a colon. `JSON.parse` silently keeps the last of two equal names. */
const countNames = (json: string): number =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;

/** A product as the API returns it, as the cells of `exportColumns`. */
export const exportCells = ({ price, ...fields }: ExportedProduct): string[] => {
  const { amount: price_amount, currency: price_currency } = price;
  const values = new Map<string, unknown>(Object.entries({ ...fields, price_amount, price_currency }));
  return exportColumns.map((name) => cellOf(values.get(name)));
};

interface ExportedProduct {
  readonly metadata?: object;
  readonly price: { readonly amount: number; readonly currency: string };
}

/** The cell of any field of a product. Null, missing and empty fields are empty cells. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return cellFromList(value.map(String));
  return isObject(value) ? cellFromTexts(value) : String(value);
};

const cellFromTexts = (texts: object): string =>
  Object.keys(texts).length === 0 ? '' : JSON.stringify(texts);
