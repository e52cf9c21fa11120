import { columns, metadataColumn, metadataPrefix, normalName, stockCounts } from './columns.ts';

/** The column that a header means; undefined where it may be anything. */
export type ColumnGuess = string | undefined;

/** @returns the column that a header names in one of the languages that are known */
export const columnOf = (header: string): ColumnGuess => {
  const name = normalName(header);
  if (name.startsWith(metadataPrefix)) return metadataColumn(header);
  return columns.find((column) => column.name === name || column.spellings.includes(name))?.name;
};

/** Columns of which a file needs one alone. */
const rivals: readonly (readonly string[])[] = [['price', 'price_amount']];

/**
 * Guesses what each column of a file is. Of two headers for one column, the column's own name comes first, then the first header.
 * @returns a guess for each header
 */
export const guessColumns = (headers: readonly string[]): readonly ColumnGuess[] => {
  const guesses = withName(headers, withArticle(headers, headers.map(columnOf)));
  return guesses.map((guess, index) => {
    if (guess === undefined || guess.startsWith(metadataPrefix)) return guess;
    const group = rivals.find((names) => names.includes(guess)) ?? [guess];
    const places = guesses.flatMap((other, at) => (group.includes(other ?? '') ? [at] : []));
    const own = places.find((at) => group.includes(normalName(headers[at] ?? '')));
    return (own ?? places[0]) === index ? guess : undefined;
  });
};

/**
 * The columns of a file after a person has assigned one of them. Whatever had that column before gives it up.
 * @param chosen the column of each header
 */
export const chooseColumn = (
  chosen: readonly ColumnGuess[],
  index: number,
  column: ColumnGuess,
): readonly ColumnGuess[] => {
  const group = rivals.find((names) => names.includes(column ?? '')) ?? [column ?? ''];
  const next = chosen.map((other) => (other !== undefined && group.includes(other) ? undefined : other));
  next[index] = column;
  return next;
};

/** Headers of a column with the number of an article or with its name, whichever no other column has. */
const articles: readonly string[] = ['article', 'artikel', 'item'];

const withArticle = (headers: readonly string[], guesses: readonly ColumnGuess[]): readonly ColumnGuess[] =>
  guesses.map((guess, index) => {
    if (!articles.includes(normalName(headers[index] ?? ''))) return guess;
    const others = guesses.filter((_, at) => at !== index);
    return ['sku', 'name'].find((one) => !others.includes(one));
  });

/** Headers under which suppliers write names. */
const shortDescriptions: readonly string[] = ['description', 'beschreibung', 'descripcion', 'designation'];

/** Whether a column may be the name although its header is that of a description. */
export const isShortDescription = (header: string): boolean => shortDescriptions.includes(normalName(header));

const withName = (headers: readonly string[], guesses: readonly ColumnGuess[]): readonly ColumnGuess[] => {
  if (guesses.includes('name')) return guesses;
  const at = headers.findIndex(isShortDescription);
  return guesses.map((guess, index) => (index === at ? 'name' : guess));
};

/** Whether a header can only mean how many there are. Any other may also mean how many have arrived. */
export const isStockCount = (header: string): boolean => stockCounts.includes(normalName(header));
