import type { PoolClient } from 'pg';
import type { UserId } from '#domain/user.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Statement } from '../../sql/sql-table.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { encodeTextArray } from '../pipeline/pipeline.ts';
import { createBatcher } from '../read-coalescing/batcher.ts';
import { postgresSession } from '../session.ts';

/** A position in the write-ahead log (LSN), as the number of bytes since its beginning. */
export type Lsn = number;

/** The LSNs that the primary has recorded for some users. */
export interface RecordedLsns {
  /** The LSN that a replica must have reached to serve the user; undefined when the user has written nothing of late. */
  of(user: UserId): Lsn | undefined;
  /** The timeline epoch that a replica must show to belong to this primary. */
  readonly epoch: string;
}

/** The row that holds the timeline epoch. No user has this id. */
const epochRowId = '00000000-0000-0000-0000-000000000000';

/** How long an LSN is kept, in milliseconds. It exceeds the maximum lag of a replica that serves reads. */
const lifetimeMs = 60_000;

/** The rows deleted by one statement, which locks them: a user's next write waits for it. */
const deleteBatchSize = 10_000;

/*
 * The statements here are written by hand: their table is no entity, and the builder does not know PostgreSQL's log, its
 * type and its functions.
 */

const bytes = (lsn: string): string => `(${lsn} - '0/0'::pg_lsn)::bigint`;

const recordEnd: Statement = {
  name: 'user_positions_record',
  text:
    'insert into user_positions (user_id, position) ' +
    'select input, pg_current_wal_insert_lsn() from unnest($1::uuid[]) as input ' +
    'on conflict (user_id) do update set noted_at = now(), ' +
    'position = greatest(user_positions.position, excluded.position)',
};

const findRows: Statement = {
  name: 'user_positions_find',
  text: `select user_id, ${bytes('position')} as lsn, lineage as epoch from user_positions where user_id = any($1::uuid[])`,
};

const beginEpoch: Statement = {
  name: 'user_positions_begin_epoch',
  text:
    'with begun as (insert into user_positions (user_id, position, lineage) ' +
    `values ('${epochRowId}', '0/0', gen_random_uuid()) on conflict do nothing returning lineage), ` +
    'gone as (delete from replica_lineage where exists (select from begun)) ' +
    'insert into replica_lineage select lineage from begun',
};

const deleteOldest: Statement = {
  name: 'user_positions_delete_expired',
  text:
    'delete from user_positions where user_id in (select user_id from user_positions ' +
    `where noted_at < now() - interval '${lifetimeMs} milliseconds' and lineage is null ` +
    `limit ${deleteBatchSize} for update skip locked)`,
};

const findEnd: Statement = {
  name: 'current_wal_lsn',
  text: `select ${bytes('pg_current_wal_lsn()')} as lsn`,
};

interface Row {
  readonly user_id: UserId;
  readonly lsn: Lsn;
  readonly epoch: string | null;
}

/** How long the primary may take to respond, in milliseconds. */
const queryTimeoutMs = 2_000;

/**
 * How far the log reaches that holds each user's own writes, whichever process made them. The table is unlogged: a record
 * waits for no disk and no standby, and a crash or a failover empties it.
 *
 * The process that finds the table empty begins a new timeline epoch, which is logged. A replica that does not show the
 * epoch lacks part of the log whose LSNs were lost, or follows another primary.
 */
export const userLsns = (connections: ConnectionPool) => {
  /** The users whose LSN is being recorded, or could not be. */
  const pending = new Map<UserId, Promise<unknown>>();
  const session = (): SqlSession => postgresSession(connections, performance.now() + queryTimeoutMs);

  /** Begins a timeline epoch unless there is one. */
  const ensureEpoch = async (): Promise<void> => {
    await session().execute(beginEpoch, []);
  };

  /**
   * Records the end of the log, behind which nothing stands that the users have committed. It must be awaited before a
   * commit of theirs is acknowledged.
   * @param client a connection outside a transaction; any without it
   * @throws as a session does
   */
  const record = async (
    users: readonly UserId[],
    deadline = performance.now() + queryTimeoutMs,
    client?: PoolClient,
  ): Promise<void> => {
    // Every process locks the rows in the same order, so that no two wait for each other.
    const bound = { statement: recordEnd, values: [encodeTextArray(users.toSorted())] };
    const recording =
      client === undefined
        ? connections.query(bound, deadline)
        : connections.exchange(client, [bound], deadline, false);
    for (const user of users) pending.set(user, recording);
    await recording;
    for (const user of users) if (pending.get(user) === recording) pending.delete(user);
  };

  /** @returns undefined when the LSNs were lost, and a new timeline epoch has begun */
  const find = createBatcher(async (users: readonly UserId[]): Promise<RecordedLsns | undefined> => {
    const rows = await session().query<Row>(findRows, [encodeTextArray([...users, epochRowId])]);
    const byUser = new Map(rows.map((row) => [row.user_id as string, row]));
    const epoch = byUser.get(epochRowId)?.epoch;
    if (epoch) return { epoch, of: (user) => byUser.get(user)?.lsn };
    await ensureEpoch();
    return undefined;
  });

  return {
    ensureEpoch,
    record,
    find,

    /**
     * Waits until the user's commits through this process are recorded. Only then may a response show them: another process
     * could otherwise read an older state.
     * @throws as a session does when they cannot be recorded
     */
    awaitPending: async (user: UserId): Promise<void> => {
      await pending.get(user)?.catch(() => record([user]));
    },

    /** The current end of the primary's log. */
    current: async (): Promise<Lsn> => {
      const [row] = await session().query<{ readonly lsn: Lsn }>(findEnd, []);
      return row?.lsn ?? Number.POSITIVE_INFINITY;
    },

    /** Deletes the LSNs that every replica in use has reached. */
    deleteExpired: async (): Promise<void> => {
      let deleted = deleteBatchSize;
      while (deleted === deleteBatchSize) deleted = await session().execute(deleteOldest, []);
    },
  };
};

export type UserLsns = ReturnType<typeof userLsns>;
