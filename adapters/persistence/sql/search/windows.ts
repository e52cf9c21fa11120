import { sql } from 'kysely';
import { parameter } from '../builder.ts';
import type { CompileWindow, Stream } from './dialect.ts';

const names = (streams: readonly Stream[]) => streams.map((_, index) => sql.ref(`stream_${index}`));

const last = (index: number) => sql.ref(`last_${index}`);

/**
 * Joins the next rows of each stream. For databases that join sorted rows in steps and stop at the limit. The ends of the streams
 * are read only where too little was found: a subquery in a `case` runs when it is needed.
 */
export const limitedWindow: CompileWindow = ({ streams, size, direction: { order }, found }) => {
  const [first = sql``, ...others] = streams.map(
    (stream, index) => sql`(${stream.next(size)}) as ${names(streams)[index]}`,
  );
  const joins = others.map(
    (stream, index) =>
      sql`join ${stream} on ${sql.ref(`stream_${index + 1}`)}.product_id = stream_0.product_id`,
  );
  const hits = sql`(select stream_0.product_id from ${first} ${sql.join(joins, sql` `)} order by stream_0.product_id ${order})`;
  const ends = streams.map(
    (stream, index) =>
      sql`case when (select count(*) from found) < ${parameter('limit')} then (${stream.lastOfNext(size)}) end as ${last(index)}`,
  );
  return sql`with found as materialized (${found(hits)})
    select ${sql.join(ends)}, found.* from (select 1 as one) as single left join found on 1 = 1 order by found.id ${order}`;
};

/**
 * Intersects the rows of each stream up to the end that comes first. For databases that intersect ranges of an index in steps, but
 * sort rows with a limit again.
 */
export const boundedWindow: CompileWindow = ({
  streams,
  size,
  direction: { order, isDescending },
  found,
}) => {
  const ends = streams.map((stream, index) => sql`(${stream.lastOfNext(size)}) as ${last(index)}`);
  const nearest = sql`select coalesce(${isDescending ? sql`max` : sql`min`}(id), ${parameter('farthest')}) as id from (${sql.join(
    streams.map((_, index) => sql`select ${last(index)} as id from ends`),
    sql` union all `,
  )}) as each_end`;
  const ids = streams.map((stream) => stream.upTo(sql`(select id from nearest)`));
  return sql`with ends as (select ${sql.join(ends)}), nearest as (${nearest}),
    found as (${found(sql`(${sql.join(ids, sql` intersect `)} order by product_id ${order})`)})
    select ends.*, found.* from ends left join found on 1 = 1 order by found.id ${order}`;
};
