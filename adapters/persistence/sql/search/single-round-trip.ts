import { sql } from 'kysely';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import { parameter } from '../builder.ts';
import { type CompileSingleRoundTrip, maxFewRows, type SearchDialect } from './dialect.ts';
import { postingListOf } from './posting-list.ts';

const table = sql.table(productWords.name);

/** The word of each term, if it has a single one that is its text, ends its range. */
const lastWord = (index: number) =>
  sql`(select max(word) from ${table} where word >= ${parameter(`low_${index}`)} and word <= ${parameter(`high_${index}`)})`;

const wholeWord = { kind: 'words', words: ['one'], low: '', high: '' } as const;

/**
 * Counts the rows of each term, and then reads the first term with few rows, or merges whole words. For databases whose plan of
 * a statement omits what a condition without columns excludes.
 */
export const countThenRead =
  ({ rowsOfRange }: Pick<SearchDialect, 'rowsOfRange'>): CompileSingleRoundTrip =>
  ({ count, size, direction, productsOf, isWanted, hasAll, most }) => {
    const { order, isBehind } = direction;
    const terms = Array.from({ length: count }, (_, index) => ({
      isWhole: sql.ref(`is_whole_${index}`),
      isFew: sql.ref(`is_few_${index}`),
      low: parameter(`low_${index}`),
      high: parameter(`high_${index}`),
      index,
    }));
    const checks = terms.map(({ isWhole, isFew, low, high, index }) => {
      const isInRange = rowsOfRange?.(low, high) ?? sql`word >= ${low} and word <= ${high}`;
      return sql`${lastWord(index)} = ${low} as ${isWhole}, (select count(*) from (
        select 1 as one from ${table} where ${isInRange} order by word, product_id limit ${sql.lit(maxFewRows + 1)}
      ) as counted) <= ${sql.lit(maxFewRows)} as ${isFew}`;
    });
    /** A value of the first term with few rows. */
    const ofFew = (value: 'low' | 'high') =>
      sql`case ${sql.join(
        terms.map((term) => sql`when ${term.isFew} then ${term[value]}`),
        sql` `,
      )} end`;
    const held = sql`case when ${sql.join(
      terms.map(({ isFew }) => isFew),
      sql` or `,
    )} then 'few' when ${sql.join(
      terms.map(({ isWhole }) => isWhole),
      sql` and `,
    )} then 'whole' end`;
    const ofHeld = (column: string) => sql`(select ${sql.ref(column)} from held)`;
    const isHeld = (value: 'few' | 'whole') => sql`${ofHeld('held')} = ${sql.lit(value)}`;

    // The limit holds all of its rows, and shows the planner that they are few.
    const few = sql`select distinct product_id from (
      select product_id from ${table}
      where ${isHeld('few')} and word >= ${ofHeld('low')} and word <= ${ofHeld('high')} limit ${sql.lit(maxFewRows)}
    ) as few where product_id ${isBehind} ${parameter('after')} order by product_id ${order}`;
    const lists = terms.map(({ index }) => postingListOf(wholeWord, index, direction));
    const [first, ...others] = lists.map(
      (list, index) => sql`(${list.next(size)}) as ${sql.ref(`postings_${index}`)}`,
    );
    const joins = others.map(
      (list, index) =>
        sql`join ${list} on ${sql.ref(`postings_${index + 1}.product_id`)} = postings_0.product_id`,
    );
    const whole = sql`select postings_0.product_id from ${first} ${sql.join(joins, sql` `)}
      where ${isHeld('whole')} order by postings_0.product_id ${order}`;
    const ends = lists.map(
      (list, index) =>
        sql`case when held = 'whole' and (select count(*) from found) < ${parameter('limit')}
          then (${list.lastOfNext(size)}) end as ${sql.ref(`last_${index}`)}`,
    );
    // One of the two has rows, so their rows stay in order: a sort would need all of them first.
    return sql`with checks as materialized (select ${sql.join(checks)}),
      held as materialized (select ${held} as held, ${ofFew('low')} as low, ${ofFew('high')} as high,
        ${sql.join(terms.map(({ isWhole, index }) => sql`case when ${isWhole} then 1 end as ${sql.ref(`whole_${index}`)}`))} from checks),
      found as materialized (
        ${productsOf(sql`((${few}) union all (${whole}))`)}
        where ${isWanted} and (${isHeld('whole')} or ${hasAll}) limit ${most}
      )
      select held, ${sql.join(terms.map(({ index }) => sql.ref(`whole_${index}`)))}, ${sql.join(ends)}, found.* from held left join found on 1 = 1 order by found.id ${order}`;
  };

/**
 * Joins whole words, and lets the planner begin with the rarest. For databases that count the rows of a word before they plan a
 * statement. The products are joined last, because a table of their columns would not fit in memory.
 */
export const joinWholeWords: CompileSingleRoundTrip = ({
  count,
  direction: { order, isBehind },
  columns,
  productsOf,
  isWanted,
  most,
}) => {
  const terms = Array.from({ length: count }, (_, index) => index);
  const wordOf = (index: number) => sql.ref(`word_${index}`);
  const [first, ...others] = terms.map((index) => sql`${table} as ${wordOf(index)}`);
  const joins = others.map(
    (other, index) => sql`join ${other} on ${wordOf(index + 1)}.product_id = word_0.product_id`,
  );
  const isWhole = (index: number) => sql`${lastWord(index)} = ${parameter(`low_${index}`)}`;
  const areWhole = sql.join(terms.map(isWhole), sql` and `);
  const isWord = terms.map((index) => sql`${wordOf(index)}.word = ${parameter(`word_${index}_0`)}`);
  const hits = sql`(select word_0.product_id from ${first} ${sql.join(joins, sql` `)}
    where ${sql.join(isWord, sql` and `)} and word_0.product_id ${isBehind} ${parameter('after')})`;
  const whole = terms.map(
    (index) => sql`case when ${isWhole(index)} then 1 end as ${sql.ref(`whole_${index}`)}`,
  );
  return sql`select checks.*, ${columns}
    from (select case when ${areWhole} then 'whole' end as held, ${sql.join(whole)}) as checks
    left join (${productsOf(hits, sql`hits.product_id`)} where ${isWanted} and ${areWhole}
      order by hits.product_id ${order} limit ${most}) as found on 1 = 1
    left join ${sql.table(products.name)} as product on product.id = found.product_id
    order by found.product_id ${order}`;
};
