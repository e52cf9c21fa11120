import { randomUUID } from 'node:crypto';
import type { SqlSession } from '#adapters/persistence/sql/session.ts';
import type { Statement } from '#adapters/persistence/sql/sql-table.ts';

/*
 * Written by hand: they ask the catalogue. The identity is that of the cluster, which its replicas share, of the database in it, and of
 * the table: `pg_restore --clean` creates another one in the same database.
 * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA
 */
const identity: Statement = {
  name: 'database_identity',
  text: `select system_identifier::text || '/' || oid::text || '/' || 'event_feed'::regclass::oid::text as identity
    from pg_control_system(), pg_database where datname = current_database()`,
};
/* A query of its own, because a primary that was demoted rejects an update, also one of no row. */
const isOfAnother: Statement = {
  name: 'event_feed_is_of_another',
  text: "select 1 as one from event_feed where name = 'events' and database_identity is distinct from $1",
};
const renew: Statement = {
  name: 'event_feed_renew_restored',
  text: `update event_feed
    set id = case when database_identity is null then id else $1::uuid end,
      last_time = last_time + 1, database_identity = $2
    where name = 'events' and database_identity is distinct from $2`,
};

/**
 * Makes the feed another one where the database was restored from a dump or copied: its sequences may differ from those that readers
 * have seen. With a server that does not report its identity nothing changes.
 */
export const renewRestoredFeed = async (session: SqlSession): Promise<void> => {
  const found = await session.query<{ readonly identity: string }>(identity, []).catch(() => []);
  if (found[0] === undefined) return;
  const values = [found[0].identity];
  if ((await session.query(isOfAnother, values)).length > 0)
    await session.execute(renew, [randomUUID(), ...values]);
};
