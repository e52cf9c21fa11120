import { sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import { compile, parameter } from '../builder.ts';
import { type CompileFindWords, type FoundWords, maxSortedRows, maxWords } from './dialect.ts';

const table = sql.table(productWords.name);

/** Finds words by a statement for each jump, for databases that scan the index for a bound which is not a constant. */
export const wordsByStatements: CompileFindWords = (builder) => {
  const select = (name: string, text: ReturnType<typeof sql>) =>
    compile(name, { compile: () => text.compile(builder) });
  const [low, high] = [parameter('low'), parameter('high')];
  const first = select(
    'search_first_word',
    sql`select min(word) as word from ${table} where word >= ${low} and word <= ${high}`,
  );
  const next = select(
    'search_next_word',
    sql`select min(word) as word from ${table} where word > ${low} and word <= ${high}`,
  );
  const count = select(
    'search_row_count',
    sql`select count(*) as row_count from (
      select 1 as one from ${table} where word >= ${low} and word <= ${high} order by word, product_id limit ${sql.lit(maxSortedRows + 1)}
    ) as counted`,
  );

  return (session, terms) =>
    Promise.all(
      terms.map(async (bounds): Promise<FoundWords> => {
        const words: string[] = [];
        while (words.length <= maxWords) {
          const after = words.at(-1);
          const [row] = await session.query<{ readonly word: string | null }>(
            after === undefined ? first : next,
            [after ?? bounds.low, bounds.high],
          );
          if (row === undefined || row.word === null) return { words, rowCount: 0 };
          words.push(row.word);
        }
        const [counted] = await session.query<{ readonly row_count: number }>(count, [
          bounds.low,
          bounds.high,
        ]);
        return { words, rowCount: Number(counted?.row_count ?? 0) };
      }),
    );
};
