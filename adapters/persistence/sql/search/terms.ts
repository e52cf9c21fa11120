import type { SearchTerm } from '#domain/search.ts';
import type { Builder } from '../builder.ts';
import type { ReadSession } from '../session.ts';
import { type Bounds, maxSortedRows, maxWords, type SearchDialect } from './dialect.ts';

/** A term, as a statement looks for its products. */
export type Source = Bounds &
  (
    | /** Few words, each with its products in the order of their ids. */
    { readonly kind: 'words'; readonly words: readonly string[] }
    /** Many words with few products in all, which can be sorted. */
    | { readonly kind: 'range' }
    /** A product is asked whether it has one. */
    | { readonly kind: 'probe' }
  );

/** No word has it, and it is behind all that a word can have: from a prefix to the prefix with it is every word with the prefix. */
const lastCodePoint = '\u{10ffff}';

export const boundsOf = ({ text, isPrefix }: SearchTerm): Bounds => ({
  low: text,
  high: isPrefix ? `${text}${lastCodePoint}` : text,
});

/** Makes a function that finds the sources of terms. */
export const compileSources = (builder: Builder, dialect: SearchDialect) => {
  const findWords = dialect.findWords(builder, dialect);

  return async (session: Pick<ReadSession, 'query'>, terms: readonly SearchTerm[]): Promise<Source[]> => {
    const prefixes = terms.filter(({ isPrefix }) => isPrefix).map(boundsOf);
    const exact = terms.filter(({ isPrefix }) => !isPrefix);
    const sources: Source[] = exact.map((term) => ({ kind: 'words', words: [term.text], ...boundsOf(term) }));
    if (prefixes.length === 0) return sources;
    const found = await findWords(session, prefixes);
    for (const [index, bounds] of prefixes.entries()) {
      const { words, rowCount } = found[index] ?? { words: [], rowCount: 0 };
      if (words.length <= maxWords) sources.push({ kind: 'words', words, ...bounds });
      else sources.push({ kind: rowCount > maxSortedRows ? 'probe' : 'range', ...bounds });
    }
    return sources;
  };
};
