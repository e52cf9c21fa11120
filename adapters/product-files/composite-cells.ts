/** Cells that hold a whole list, or texts by name. WooCommerce and Shopify write lists with commas, too. */

/** A comma with blanks or a line end, at which a list is split. WooCommerce writes a comma of an item as `\\,`. */
const separator = /(?<!\\)[,\n]/;

/**
 * The comma of a URL that is written as it is, as image services have it (`w_100,h_100`), separates nothing: the next URL
 * begins behind a separator.
 */
const urlSeparator = /(?<!\\)[,\s]+(?=https?:\/\/|$)/i;

/** A comma of an item that would be taken for a separator. */
const ambiguousComma = /,(?=https?:\/\/|,*$)/gi;

const isListOfUrls = (cell: string): boolean => /^\s*https?:\/\//i.test(cell);

/** The items without the blanks around them. Empty ones are left out. */
export const listFromCell = (cell: string): readonly string[] =>
  cell
    .split(isListOfUrls(cell) ? urlSeparator : separator)
    .map((item) => item.trim().replaceAll('\\,', ','))
    .filter((item) => item !== '');

export const cellFromList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll(ambiguousComma, '\\,')).join(', ');

/** @returns the cell itself when it is no JSON, or has a name twice, so that the field's codec rejects it */
export const textsFromCell = (cell: string): unknown => {
  try {
    const texts: unknown = JSON.parse(cell);
    return isObject(texts) && Object.keys(texts).length < countNames(cell) ? cell : texts;
  } catch {
    return cell;
  }
};

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Counts the strings in front of a colon. `JSON.parse` takes the last of two equal names without a word. */
const countNames = (json: string): number =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;

export const cellFromTexts = (texts: object): string =>
  Object.keys(texts).length === 0 ? '' : JSON.stringify(texts);
