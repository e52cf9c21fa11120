import type { SearchTerm } from '#domain/search.ts';
import type { Builder } from '../builder.ts';
import type { ReadSession } from '../session.ts';
import {
  type Bounds,
  type FoundWords,
  maxFewRows,
  maxSortedRows,
  maxWords,
  type SearchDialect,
} from './dialect.ts';
import { compileFindWords } from './find-words.ts';

/** How a statement finds the products of a term. */
export type TermPlan = Bounds &
  (
    | /** Few words, each with its products in the order of their ids. */
    { readonly kind: 'words'; readonly words: readonly string[] }
    /** Many words with few products in all, which can be sorted, or so few that each search reads them all. */
    | { readonly kind: 'range'; readonly isFew: boolean }
    /** Each product is checked for a word of the term. */
    | { readonly kind: 'probe' }
  );

/** No word has it, and it is behind all that a word can have: from a prefix to the prefix with it is every word with the prefix. */
const lastCodePoint = '\u{10ffff}';

export const boundsOf = ({ text, isPrefix }: SearchTerm): Bounds => ({
  low: text,
  high: isPrefix ? `${text}${lastCodePoint}` : text,
});

/** Makes a function that plans terms by how many words and rows they have. */
export const compileTermPlans = (builder: Builder, dialect: SearchDialect) => {
  const findWords = compileFindWords(builder, dialect);

  return async (session: Pick<ReadSession, 'query'>, terms: readonly SearchTerm[]): Promise<TermPlan[]> => {
    const bounds = terms.map(boundsOf);
    const found = await findWords(session, bounds);
    const plans = bounds.map((term, index) => planOf(term, found[index] ?? { words: [], rowCount: 0 }));
    const few = found.findIndex(({ rowCount }) => rowCount <= maxFewRows);
    return few < 0 ? plans : among(few, plans);
  };
};

const planOf = (bounds: Bounds, { words, rowCount }: FoundWords): TermPlan => {
  const isFew = rowCount <= maxFewRows;
  if (words.length === 0 || (words.length <= maxWords && !isFew)) return { kind: 'words', words, ...bounds };
  return rowCount > maxSortedRows ? { kind: 'probe', ...bounds } : { kind: 'range', isFew, ...bounds };
};

/** Checks the few products of one term for all other terms, which have more. */
export const among = (few: number, plans: readonly TermPlan[]): TermPlan[] =>
  plans.map((term, index) => (index === few ? term : { ...term, kind: 'probe' }));
