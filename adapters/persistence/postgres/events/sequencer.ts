import { eventQueue, events } from '#adapters/persistence/schema/entities/event.ts';
import type { Builder } from '#adapters/persistence/sql/builder.ts';
import {
  compileSequencer,
  type FeedEnd,
  nextIds,
  numberingBatchSize,
} from '#adapters/persistence/sql/events/sequencer.ts';
import type { SqlSession } from '#adapters/persistence/sql/session.ts';
import type { Statement } from '#adapters/persistence/sql/sql-table.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { noDeadline, retryOnConflict } from '../../retry.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { postgresQuotaDialect } from '../dialect.ts';
import { rowsOf } from '../session.ts';
import { Transaction } from '../transaction.ts';

const columns = eventQueue.columns.join(', ');

/**
 * Moves a batch from the queue to the feed, in the order in which transactions have inserted it. Written by hand: the builder has no
 * statement that moves rows. `$1` is the last sequence, `$2` what ids begin with, `$3` their time.
 *
 * An identity is given when a row is inserted. A unit of work that has seen the change of another one began to insert after that one's
 * commit, so its events come behind those of the other, and no snapshot sees them without those.
 */
const move: Statement = {
  name: 'events_number',
  text: `
    with moved as (
      delete from ${eventQueue.name}
      where place in (select place from ${eventQueue.name} order by place limit ${numberingBatchSize})
      returning *
    ), numbered as (
      select $1::bigint + row_number() over (order by place) as sequence, ${columns} from moved
    ), inserted as (
      insert into ${events.name} (sequence, id, ${columns})
      select sequence, ($2::text || lpad(to_hex(sequence), 10, '0'))::uuid, ${columns} from numbered
      returning 1
    )
    update event_feed
    set last_sequence = last_sequence + (select count(*) from inserted), last_time = $3::bigint
    where name = 'events' and exists (select from inserted)
    returning (select count(*) from inserted)::int as numbered`,
};

/** @param session without a transaction */
export const postgresSequencer = (
  builder: Builder,
  connections: ConnectionPool,
  session: SqlSession,
): NonNullable<Store['numberEvents']> => {
  const { isWaiting, lockFeed } = compileSequencer(builder, postgresQuotaDialect.now);

  const numberBatch = async (): Promise<number> => {
    const transaction = new Transaction(connections, noDeadline);
    try {
      const [locked] = await transaction.send([{ statement: lockFeed, values: [] }]);
      const [end] = rowsOf<FeedEnd>(locked);
      if (end === undefined) throw new TypeError('The store has no feed.');
      const { time, prefix } = nextIds(end);
      const [result] = await transaction.send([
        { statement: move, values: [end.last_sequence, prefix, time] },
      ]);
      const client = await transaction.commit([]);
      client.release();
      return rowsOf<{ readonly numbered: number }>(result)[0]?.numbered ?? 0;
    } catch (error) {
      await transaction.rollback(error);
      throw error;
    }
  };

  return async () => {
    // This query saves a transaction where nothing waits.
    if ((await session.query(isWaiting, [])).length === 0) return { numbered: 0, hasMore: false };
    const numbered = await retryOnConflict(numberBatch);
    return { numbered, hasMore: numbered === numberingBatchSize };
  };
};
