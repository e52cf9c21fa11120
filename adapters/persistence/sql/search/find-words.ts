import { sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { ReadSession } from '../session.ts';
import { memoized } from '../statements.ts';
import {
  type Bounds,
  boundValues,
  type FoundWords,
  maxFewRows,
  maxSortedRows,
  maxWords,
  type SearchDialect,
} from './dialect.ts';

const table = sql.table(productWords.name);

/**
 * Makes a function that finds the words of terms by jumps from one word to the next in the index (loose index scan), a statement for
 * each jump. The first words of all terms come in one statement, so that whole words need no other.
 */
export const compileFindWords = (builder: Builder, { rowsOfRange }: Pick<SearchDialect, 'rowsOfRange'>) => {
  const select = (name: string, text: ReturnType<typeof sql>) =>
    compile(name, { compile: () => text.compile(builder) });
  const isInRange = (index: number) =>
    sql`word >= ${parameter(`low_${index}`)} and word <= ${parameter(`high_${index}`)}`;
  const rowsOf = (index: number) =>
    rowsOfRange?.(parameter(`low_${index}`), parameter(`high_${index}`)) ?? isInRange(index);
  const countUpTo = (most: number, index = 0) => sql`(select count(*) from (
    select 1 as one from ${table} where ${rowsOf(index)} order by word, product_id limit ${sql.lit(most + 1)}
  ) as counted)`;
  const first = memoized((count: number) => {
    const selects = Array.from(
      { length: count },
      (_, index) => sql`select ${sql.lit(index)} as term,
        (select min(word) from ${table} where ${isInRange(index)}) as word,
        (select max(word) from ${table} where ${isInRange(index)}) as last, ${countUpTo(maxFewRows, index)} as row_count`,
    );
    return select(`search_first_words_${count}`, sql.join(selects, sql` union all `));
  });
  const next = select(
    'search_next_word',
    sql`select min(word) as word from ${table} where word > ${parameter('low_0')} and word <= ${parameter('high_0')}`,
  );
  const count = select('search_row_count', sql`select ${countUpTo(maxSortedRows)} as row_count`);

  /** Finds further words of a term, from one word to the next. A term with few rows needs none. */
  const complete = async (
    session: Pick<ReadSession, 'query'>,
    bounds: Bounds,
    begin: WordRow,
  ): Promise<FoundWords> => {
    const query = async (statement: typeof next, low: string): Promise<Partial<WordRow>> =>
      (await session.query<WordRow>(statement, boundValues(statement, [{ low, high: bounds.high }])))[0] ??
      {};
    const rowCount = Number(begin.row_count);
    const words: string[] = [];
    for (let word = begin.word; word !== null; word = (await query(next, word)).word ?? null) {
      words.push(word);
      if (word === begin.last || rowCount <= maxFewRows) break;
      if (words.length > maxWords)
        return { words, rowCount: Number((await query(count, bounds.low)).row_count) };
    }
    return { words, rowCount };
  };

  return async (
    session: Pick<ReadSession, 'query'>,
    terms: readonly Bounds[],
  ): Promise<readonly FoundWords[]> => {
    const statement = first(terms.length);
    const rows = await session.query<WordRow>(statement, boundValues(statement, terms));
    return Promise.all(
      terms.map((bounds, index) => {
        const begin = rows.find(({ term }) => Number(term) === index);
        return complete(session, bounds, begin ?? { term: index, word: null, last: null, row_count: 0 });
      }),
    );
  };
};

interface WordRow {
  readonly term: number;
  readonly word: string | null;
  readonly last: string | null;
  readonly row_count: number;
}
