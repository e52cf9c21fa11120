import { sql } from 'kysely';
import { EventFeedEntity, eventQueue, feedName } from '#adapters/persistence/schema/entities/event.ts';
import { EventId } from '#domain/event-id.ts';
import { type Builder, compile } from '../builder.ts';

/** Bounds how long one batch holds the lock of the feed, in events. */
export const numberingBatchSize = 1_000;

/** Where the feed ends, while its row is locked. */
export interface FeedEnd {
  readonly id: string;
  readonly last_sequence: number;
  readonly last_time: number;
  readonly now: number;
}

/**
 * Where an event is numbered: the sequencers of PostgreSQL and MariaDB do it, and on SQLite its commit. This compiles what a
 * sequencer begins with.
 *
 * The lock of the row of the feed is the fence: one process numbers at a time. Numbering must be a later statement, whose snapshot is
 * newer than the lock. In one statement with it, it would see rows that the process before has numbered already.
 * @param now the clock of the database, in milliseconds since 1970
 */
export const compileSequencer = (builder: Builder, now: string) => ({
  isWaiting: compile(
    `${eventQueue.name}_is_waiting`,
    builder.selectFrom(eventQueue.name).select('place').orderBy('place').limit(sql.lit(1)),
  ),
  lockFeed: compile(
    `${EventFeedEntity.tableName}_lock`,
    builder
      .selectFrom(EventFeedEntity.tableName)
      .select(['id', 'last_sequence', 'last_time', sql.raw<number>(now).as('now')])
      .where('name', '=', sql.lit(feedName))
      .forUpdate(),
  ),
});

/** The time of the next ids, and what they begin with. Times never descend, even when the clock is set back. */
export const nextIds = ({
  id,
  last_time,
  now,
}: FeedEnd): { readonly time: number; readonly prefix: string } => {
  const time = Math.max(now, last_time);
  return { time, prefix: EventId.prefix(time, id) };
};
