import { sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Value } from '#adapters/persistence/schema/entities/table.ts';
import type { SearchTerm } from '#domain/search.ts';
import { type Builder, compile, parameter } from '../builder.ts';

import type { ReadSession } from '../session.ts';
import type { CompiledStatement } from '../sql-table.ts';
import { memoized } from '../statements.ts';
import type { SearchDialect } from './dialect.ts';

/** The first and the last word that a term can be, between which are all others. */
interface Bounds {
  readonly low: string;
  readonly high: string;
}

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

/** How many words of a term are looked at one by one. */
export const maxWords = 8;

/** How many rows of the index can be sorted while a client waits. */
const maxSortedRows = 2_000;

const table = sql.table(productWords.name);

/** No word has it, and it is behind all that a word can have: from a prefix to the prefix with it is every word with the prefix. */
const lastCodePoint = '\u{10ffff}';

export const boundsOf = ({ text, isPrefix }: SearchTerm): Bounds => ({
  low: text,
  high: isPrefix ? `${text}${lastCodePoint}` : text,
});

/**
 * Makes a function that finds the sources of terms.
 *
 * The words are read by jumps from one to the next (loose index scan), because an index has thousands of rows for a common word.
 * SQL by hand, because the builder has no recursion over scalar subqueries that all databases take.
 */
export const compileSources = (builder: Builder, { rowsOfRange }: Pick<SearchDialect, 'rowsOfRange'>) => {
  const findWords = memoized((count: number) => {
    const terms = Array.from({ length: count }, (_, index) => ({
      found: sql.ref(`found_${index}`),
      low: parameter(`low_${index}`),
      high: parameter(`high_${index}`),
    }));
    const jumps = terms.map(
      ({ found, low, high }) => sql`${found} (word, place) as (
        select (select min(word) from ${table} where word >= ${low} and word <= ${high}), 1
        union all
        select (select min(other.word) from ${table} as other where other.word > ${found}.word and other.word <= ${high}), place + 1
        from ${found} where word is not null and place <= ${sql.lit(maxWords)}
      )`,
    );
    const selects = terms.map(({ found, low, high }, index) => {
      // The order has PostgreSQL stop at the limit, where it would look for all rows first.
      const isInRange = rowsOfRange?.(low, high) ?? sql`word >= ${low} and word <= ${high}`;
      const counted = sql`(select count(*) from (
        select 1 as one from ${table} where ${isInRange} order by word, product_id limit ${sql.lit(maxSortedRows + 1)}
      ) as counted)`;
      const words = sql`select ${sql.lit(index)} as term, word, 0 as row_count from ${found} where word is not null`;
      // A subquery in a `case` runs when it is needed.
      const rows = sql`select ${sql.lit(index)}, null, case when (select count(word) from ${found}) > ${sql.lit(maxWords)} then ${counted} end`;
      return sql`${words} union all ${rows}`;
    });
    const text = sql`with recursive ${sql.join(jumps)} ${sql.join(selects, sql` union all `)}`;
    return compile(`search_words_${count}`, { compile: () => text.compile(builder) });
  });

  return async (session: Pick<ReadSession, 'query'>, terms: readonly SearchTerm[]): Promise<Source[]> => {
    const prefixes = terms.filter(({ isPrefix }) => isPrefix).map(boundsOf);
    const exact = terms.filter(({ isPrefix }) => !isPrefix);
    const sources: Source[] = exact.map((term) => ({ kind: 'words', words: [term.text], ...boundsOf(term) }));
    if (prefixes.length === 0) return sources;
    const statement = findWords(prefixes.length);
    const rows = await session.query<WordRow>(statement, valuesOf(statement, prefixes));
    for (const [index, bounds] of prefixes.entries()) {
      const ofTerm = rows.filter(({ term }) => Number(term) === index);
      const words = ofTerm.flatMap(({ word }) => (word === null ? [] : [word]));
      const rowCount = Number(ofTerm.find(({ word }) => word === null)?.row_count ?? 0);
      if (words.length <= maxWords) sources.push({ kind: 'words', words, ...bounds });
      else sources.push({ kind: rowCount > maxSortedRows ? 'probe' : 'range', ...bounds });
    }
    return sources;
  };
};

/** A word of a term, or no word and the number of rows of a term with many words. */
interface WordRow {
  readonly term: number;
  readonly word: string | null;
  readonly row_count: number | null;
}

/** A statement has each bound several times. */
const valuesOf = ({ parameters }: CompiledStatement, bounds: readonly Bounds[]): readonly Value[] =>
  parameters.map((name) => {
    const [end, index] = name.split('_');
    return bounds[Number(index)]?.[end === 'low' ? 'low' : 'high'] ?? null;
  });
