import { sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import { compile, parameter } from '../builder.ts';
import { memoized } from '../statements.ts';
import { boundValues, type CompileFindWords, maxFewRows, maxSortedRows, maxWords } from './dialect.ts';

const table = sql.table(productWords.name);

/** A word of a term, or no word and the number of rows. */
interface WordRow {
  readonly term: number;
  readonly word: string | null;
  readonly row_count: number | null;
}

/**
 * Finds words by a recursion of which each step jumps to the next word (loose index scan), in one statement for all terms. SQL by
 * hand, because the builder has no recursion over scalar subqueries.
 */
export const wordsByRecursion: CompileFindWords = (builder, { rowsOfRange }) => {
  const compiled = memoized((count: number) => {
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
      const countUpTo = (most: number) => sql`(select count(*) from (
        select 1 as one from ${table} where ${isInRange} order by word, product_id limit ${sql.lit(most + 1)}
      ) as counted)`;
      const words = sql`select ${sql.lit(index)} as term, word, 0 as row_count from ${found} where word is not null`;
      // A subquery in a `case` runs when it is needed.
      const rows = sql`select ${sql.lit(index)}, null,
        case when (select count(word) from ${found}) > ${sql.lit(maxWords)} then ${countUpTo(maxSortedRows)} else ${countUpTo(maxFewRows)} end`;
      return sql`${words} union all ${rows}`;
    });
    const text = sql`with recursive ${sql.join(jumps)} ${sql.join(selects, sql` union all `)}`;
    return compile(`search_words_${count}`, { compile: () => text.compile(builder) });
  });

  return async (session, terms) => {
    const statement = compiled(terms.length);
    const rows = await session.query<WordRow>(statement, boundValues(statement, terms));
    return terms.map((_, index) => {
      const ofTerm = rows.filter(({ term }) => Number(term) === index);
      return {
        words: ofTerm.flatMap(({ word }) => (word === null ? [] : [word])),
        rowCount: Number(ofTerm.find(({ word }) => word === null)?.row_count ?? 0),
      };
    });
  };
};
