import { sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import { compile, parameter } from '../builder.ts';
import { type CompileFindWords, type FoundWords, maxFewRows, maxSortedRows, maxWords } from './dialect.ts';

const table = sql.table(productWords.name);

/** Finds words by a statement for each jump, for databases that scan the index for a bound which is not a constant. */
export const wordsByStatements: CompileFindWords = (builder) => {
  const select = (name: string, text: ReturnType<typeof sql>) =>
    compile(name, { compile: () => text.compile(builder) });
  const [low, high] = [parameter('low'), parameter('high')];
  const isInRange = sql`word >= ${low} and word <= ${high}`;
  const countUpTo = (most: number) => sql`(select count(*) from (
    select 1 as one from ${table} where ${isInRange} order by word, product_id limit ${sql.lit(most + 1)}
  ) as counted)`;
  const first = select(
    'search_first_word',
    sql`select min(word) as word, ${countUpTo(maxFewRows)} as row_count from ${table} where ${isInRange}`,
  );
  const next = select(
    'search_next_word',
    sql`select min(word) as word from ${table} where word > ${low} and word <= ${high}`,
  );
  const count = select('search_row_count', sql`select ${countUpTo(maxSortedRows)} as row_count`);

  return (session, terms) =>
    Promise.all(
      terms.map(async (bounds): Promise<FoundWords> => {
        const find = async (statement: typeof first, from: string): Promise<WordRow> => {
          const values = statement.parameters.map((name) => (name === 'low' ? from : bounds.high));
          const [row] = await session.query<WordRow>(statement, values);
          return row ?? { word: null, row_count: 0 };
        };
        const begin = await find(first, bounds.low);
        const words: string[] = [];
        for (let { word } = begin; word !== null; { word } = await find(next, word)) {
          words.push(word);
          if (word === bounds.high) break;
          if (words.length > maxWords)
            return { words, rowCount: Number((await find(count, bounds.low)).row_count) };
        }
        return { words, rowCount: Number(begin.row_count) };
      }),
    );
};

interface WordRow {
  readonly word: string | null;
  readonly row_count: number;
}
