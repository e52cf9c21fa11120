import { type RawBuilder, sql } from 'kysely';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import { parameter } from '../builder.ts';
import { type Direction, maxWords, type PostingList } from './dialect.ts';
import type { TermPlan } from './term-plan.ts';

/** The order of a page. */
export const directionOf = ({ isDescending }: { readonly isDescending: boolean }): Direction =>
  isDescending
    ? { isDescending, isBehind: sql`<`, isUpTo: sql`>=`, order: sql`desc` }
    : { isDescending, isBehind: sql`>`, isUpTo: sql`<=`, order: sql`asc` };

const table = sql.table(productWords.name);

/** More rows than a range has. */
const anyRows = 1_000_000;

/** @param index the place of the term, which is in the names of its parameters */
export const postingListOf = (term: TermPlan, index: number, direction: Direction): PostingList => {
  const { order, isUpTo } = direction;
  const behind = sql`product_id ${direction.isBehind} ${parameter('after')}`;
  const last = (size: number) => sql`limit 1 offset ${sql.lit(size - 1)}`;

  if (term.kind !== 'words') {
    // The limit has the planner read the range, which is small, and not all products in the order of their ids.
    const rows = sql`select distinct product_id from (
      select product_id from ${table} where word >= ${parameter(`low_${index}`)} and word <= ${parameter(`high_${index}`)}
      limit ${sql.lit(anyRows)}
    ) as range_${sql.lit(index)} where ${behind}`;
    return {
      next: (size) => sql`${rows} order by product_id ${order} limit ${sql.lit(size)}`,
      lastOfNext: (size) => sql`${rows} order by product_id ${order} ${last(size)}`,
      upTo: (end) => sql`${rows} and product_id ${isUpTo} ${end}`,
    };
  }

  const ofWord = (place: number, tail: RawBuilder<unknown>) =>
    sql`select product_id from ${table}
      where word = ${parameter(`word_${index}_${place}`)} and ${behind} order by product_id ${order} ${tail}`;
  const wordUpTo = (place: number, end: RawBuilder<unknown>) =>
    sql`select product_id from ${table}
      where word = ${parameter(`word_${index}_${place}`)} and ${behind} and product_id ${isUpTo} ${end}`;
  if (term.words.length <= 1)
    return {
      next: (size) => ofWord(0, sql`limit ${sql.lit(size)}`),
      lastOfNext: (size) => ofWord(0, last(size)),
      upTo: (end) => wordUpTo(0, end),
    };

  const places = Array.from({ length: maxWords }, (_, place) => place);
  const nextOfAll = (size: number) =>
    sql.join(
      places.map(
        (place) =>
          sql`select product_id from (${ofWord(place, sql`limit ${sql.lit(size)}`)}) as ${sql.ref(`word_${place}`)}`,
      ),
      sql` union `,
    );
  const merged = (size: number, tail: RawBuilder<unknown>) =>
    sql`select product_id from (${nextOfAll(size)}) as words order by product_id ${order} ${tail}`;
  return {
    next: (size) => merged(size, sql`limit ${sql.lit(size)}`),
    lastOfNext: (size) => merged(size, last(size)),
    upTo: (end) =>
      sql`select product_id from (${sql.join(
        places.map((place) => wordUpTo(place, end)),
        sql` union `,
      )}) as words`,
  };
};
