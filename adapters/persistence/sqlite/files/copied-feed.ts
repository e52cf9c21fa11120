import type { Database } from 'better-sqlite3';
import { EventFeedEntity, events, feedName } from '#adapters/persistence/schema/entities/event.ts';
import { EventId } from '#domain/event-id.ts';
import type { Id } from '#domain/resource.ts';

/*
 * The statements are written by hand: no MikroORM is open.
 */

const { tableName: feed } = EventFeedEntity;

/**
 * Gives a copied database a feed of its own: the copy and its source go different ways. Later ids ascend. A copy from before the
 * feed has none.
 */
export const renewCopiedFeed = (copy: Database, id: string): void => {
  const table = copy.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(feed);
  if (table === undefined) return;
  const newest = copy
    .prepare<[], Id>(`select id from ${events.name} order by sequence desc limit 1`)
    .pluck()
    .get();
  const time = newest === undefined ? 0 : EventId.milliseconds(newest);
  copy
    .prepare(`update ${feed} set id = ?, last_time = max(last_time, ?) + 1 where name = ?`)
    .run(id, time, feedName);
};
