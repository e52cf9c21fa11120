import { type RawBuilder, sql } from 'kysely';
import { parameter } from '../builder.ts';
import type { CompileIntersection, IntersectionDialect } from './dialect.ts';

const last = (index: number) => sql.ref(`last_${index}`);

/**
 * Intersects the next rows of each list. For databases that merge sorted rows in steps and stop at the limit. The ends of the
 * lists are read only where too little was found: a subquery in a `case` runs when it is needed.
 */
const endsAndFound: CompileIntersection = ({ lists, size, direction: { order }, found }) => {
  const rows = lists.map(
    (list, index) => sql`select product_id from (${list.next(size)}) as ${sql.ref(`postings_${index}`)}`,
  );
  const hits = sql`(${sql.join(rows, sql` intersect `)} order by product_id ${order})`;
  const ends = lists.map(
    (list, index) =>
      sql`case when (select count(*) from found) < ${parameter('limit')} then (${list.lastOfNext(size)}) end as ${last(index)}`,
  );
  return sql`with found as materialized (${found(hits)})
    select ${sql.join(ends)}, found.* from (select 1 as one) as single left join found on 1 = 1 order by found.id ${order}`;
};

export const intersectByLimit: IntersectionDialect = { endsAndFound };

const ends: CompileIntersection = ({ lists, size }) =>
  sql`select ${sql.join(lists.map((list, index) => sql`(${list.lastOfNext(size)}) as ${last(index)}`))}`;

/**
 * Intersects the rows of each list up to the end that comes first, which is found by a statement of its own.
 * @param intersect makes a table of the ids that all selects have
 */
export const intersectUpToBound = (
  intersect: (ids: readonly RawBuilder<unknown>[], order: RawBuilder<unknown>) => RawBuilder<unknown>,
): IntersectionDialect => ({
  ends,
  found: ({ lists, direction: { order }, found }) =>
    found(
      intersect(
        lists.map((list) => list.upTo(parameter('bound'))),
        order,
      ),
    ),
});
