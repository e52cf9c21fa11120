import { type RawBuilder, sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Value } from '#adapters/persistence/schema/entities/table.ts';
import type { SearchTerm } from '#domain/search.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { ReadSession } from '../session.ts';
import type { CompiledStatement } from '../sql-table.ts';
import { memoized } from '../statements.ts';

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
export const compileSources = (builder: Builder, { rowsOfRange }: Pick<Dialect, 'rowsOfRange'>) => {
  const statement = (name: string, text: RawBuilder<unknown>): CompiledStatement =>
    compile(name, { compile: () => text.compile(builder) });

  const findWords = memoized((count: number) => {
    const jumps = names(count, 'found').map((found, index) => {
      const [low, high] = [parameter(`low_${index}`), parameter(`high_${index}`)];
      return sql`${sql.ref(found)} (word, place) as (
        select (select min(word) from ${table} where word >= ${low} and word <= ${high}), 1
        union all
        select (select min(other.word) from ${table} as other where other.word > ${sql.ref(found)}.word and other.word <= ${high}),
          place + 1
        from ${sql.ref(found)} where word is not null and place <= ${sql.lit(maxWords)}
      )`;
    });
    const selects = names(count, 'found').map(
      (found, index) =>
        sql`select ${sql.lit(index)} as term, word from ${sql.ref(found)} where word is not null`,
    );
    return statement(
      `search_words_${count}`,
      sql`with recursive ${sql.join(jumps)} ${sql.join(selects, sql` union all `)}`,
    );
  });

  // The order has PostgreSQL stop at the limit, where it would look for all rows first.
  const countRows = memoized((count: number) => {
    const counts = names(count, 'rows').map((rows, index) => {
      const [low, high] = [parameter(`low_${index}`), parameter(`high_${index}`)];
      const isInRange = rowsOfRange?.(low, high) ?? sql`word >= ${low} and word <= ${high}`;
      return sql`(select count(*) from (
        select 1 from ${table} where ${isInRange} order by word, product_id limit ${sql.lit(maxSortedRows + 1)}
      ) as counted) as ${sql.ref(rows)}`;
    });
    return statement(`search_rows_${count}`, sql`select ${sql.join(counts)}`);
  });

  return async (session: Pick<ReadSession, 'query'>, terms: readonly SearchTerm[]): Promise<Source[]> => {
    const prefixes = terms.filter(({ isPrefix }) => isPrefix).map(boundsOf);
    const exact = terms.filter(({ isPrefix }) => !isPrefix);
    const sources: Source[] = exact.map((term) => ({ kind: 'words', words: [term.text], ...boundsOf(term) }));
    if (prefixes.length === 0) return sources;
    const statement = findWords(prefixes.length);
    const rows = await session.query<WordRow>(statement, valuesOf(statement, prefixes));
    const wide: Bounds[] = [];
    for (const [index, bounds] of prefixes.entries()) {
      const words = rows.filter(({ term }) => Number(term) === index).map(({ word }) => word);
      if (words.length > maxWords) wide.push(bounds);
      else sources.push({ kind: 'words', words, ...bounds });
    }
    if (wide.length === 0) return sources;
    const count = countRows(wide.length);
    const [counts = {}] = await session.query<Readonly<Record<string, Value>>>(count, valuesOf(count, wide));
    for (const [index, bounds] of wide.entries()) {
      const kind = Number(counts[`rows_${index}`]) > maxSortedRows ? 'probe' : 'range';
      sources.push({ kind, ...bounds });
    }
    return sources;
  };
};

interface WordRow {
  readonly term: number;
  readonly word: string;
}

const names = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}_${index}`);

/** A recursion has each high bound twice. */
const valuesOf = ({ parameters }: CompiledStatement, bounds: readonly Bounds[]): readonly Value[] =>
  parameters.map((name) => {
    const [end, index] = name.split('_');
    return bounds[Number(index)]?.[end === 'low' ? 'low' : 'high'] ?? null;
  });
