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
import { mariadbQuotaDialect } from '../dialect.ts';
import type { MariaDbPool } from '../pool.ts';
import { MariaDbUnitSession } from '../session.ts';

const columns = eventQueue.columns.join(', ');
const { name: queue } = eventQueue;

/**
 * The rows of given places. The hint has each looked up by its key, because the planner walks through a short queue. A walk
 * would lock every row, and so wait for the units of work that have not committed.
 */
const given = `json_table(?, '$[*]' columns (place bigint path '$')) as given straight_join ${queue} force index (primary) on ${queue}.place = given.place`;

/* Written by hand: the builder has no statement that numbers rows. MariaDB cannot move rows, so the places are named twice. */
const findPlaces: Statement = {
  name: 'event_queue_places',
  text: `select place from ${queue} order by place limit ${numberingBatchSize}`,
};
/** Its parameters are the last sequence, twice, what ids begin with, and the places. */
const insert: Statement = {
  name: 'events_number',
  text: `insert into ${events.name} (sequence, id, ${columns})
    select ? + row_number() over (order by ${queue}.place),
      concat(?, lower(lpad(hex(? + row_number() over (order by ${queue}.place)), 10, '0'))), ${columns}
    from ${given}`,
};
const remove: Statement = {
  name: 'event_queue_remove',
  text: `delete ${queue} from ${given}`,
};
const advance: Statement = {
  name: 'event_feed_advance',
  text: "update event_feed set last_sequence = last_sequence + ?, last_time = ? where name = 'events'",
};

interface Dependencies {
  readonly builder: Builder;
  readonly pool: MariaDbPool;
  /** Without a transaction. */
  readonly session: SqlSession;
  readonly maxAttempts: number;
}

/**
 * The sequencer of MariaDB. The server gives the place when a row is inserted, so a unit of work that has seen the change of another one
 * has later places. In a Galera cluster that holds too: a node that has applied a row gives later places than that row's. Two nodes that
 * number at once lock the same row, and the certification of one fails.
 */
export const mariadbSequencer = ({
  builder,
  pool,
  session,
  maxAttempts,
}: Dependencies): NonNullable<Store['numberEvents']> => {
  const { isWaiting, lockFeed } = compileSequencer(builder, mariadbQuotaDialect.now);

  const numberIn = async (unit: SqlSession): Promise<number> => {
    const [end] = await unit.query<FeedEnd>(lockFeed, []);
    if (end === undefined) throw new TypeError('The store has no feed.');
    const rows = await unit.query<{ readonly place: number }>(findPlaces, []);
    if (rows.length === 0) return 0;
    const places = JSON.stringify(rows.map(({ place }) => place));
    const { time, prefix } = nextIds(end);
    const { last_sequence: last } = end;
    await unit.execute(insert, [last, prefix, last, places], rows.length);
    await unit.execute(remove, [places], rows.length);
    await unit.execute(advance, [rows.length, time], 1);
    return rows.length;
  };

  const numberBatch = async (): Promise<number> => {
    const unit = new MariaDbUnitSession(pool, noDeadline);
    try {
      const numbered = await numberIn(unit);
      await unit.end();
      await unit.commit();
      return numbered;
    } catch (error) {
      await unit.rollback();
      throw error;
    }
  };

  return async () => {
    // This query saves a transaction where nothing waits.
    if ((await session.query(isWaiting, [])).length === 0) return { numbered: 0, hasMore: false };
    const numbered = await retryOnConflict(numberBatch, noDeadline, maxAttempts);
    return { numbered, hasMore: numbered === numberingBatchSize };
  };
};
