import { type RawBuilder, sql } from 'kysely';
import { parameter } from '../builder.ts';
import type { CompileWindow, WindowDialect } from './dialect.ts';

const last = (index: number) => sql.ref(`last_${index}`);

/**
 * Intersects the next rows of each stream. For databases that merge sorted rows in steps and stop at the limit. The ends of the streams
 * are read only where too little was found: a subquery in a `case` runs when it is needed.
 */
const endsAndFound: CompileWindow = ({ streams, size, direction: { order }, found }) => {
  const rows = streams.map(
    (stream, index) => sql`select product_id from (${stream.next(size)}) as ${sql.ref(`stream_${index}`)}`,
  );
  const hits = sql`(${sql.join(rows, sql` intersect `)} order by product_id ${order})`;
  const ends = streams.map(
    (stream, index) =>
      sql`case when (select count(*) from found) < ${parameter('limit')} then (${stream.lastOfNext(size)}) end as ${last(index)}`,
  );
  return sql`with found as materialized (${found(hits)})
    select ${sql.join(ends)}, found.* from (select 1 as one) as single left join found on 1 = 1 order by found.id ${order}`;
};

export const limitedWindow: WindowDialect = { endsAndFound };

const ends: CompileWindow = ({ streams, size }) =>
  sql`select ${sql.join(streams.map((stream, index) => sql`(${stream.lastOfNext(size)}) as ${last(index)}`))}`;

/**
 * Intersects the rows of each stream up to the end that comes first, which is found by a statement of its own.
 * @param intersect makes a table of the ids that all selects have
 */
export const boundedWindow = (
  intersect: (ids: readonly RawBuilder<unknown>[], order: RawBuilder<unknown>) => RawBuilder<unknown>,
): WindowDialect => ({
  ends,
  found: ({ streams, direction: { order }, found }) =>
    found(
      intersect(
        streams.map((stream) => stream.upTo(parameter('bound'))),
        order,
      ),
    ),
});
