import { ConcurrencyConflict } from '#application/errors.ts';
import type { ReadSession, SqlSession } from '../../sql/session.ts';
import type { Statement } from '../../sql/sql-table.ts';
import { connectTo } from '../connection/connect-to.ts';
import { coalescedReads } from '../read-coalescing/coalesced-reads.ts';
import { postgresSession } from '../session.ts';
import type { Lsn } from './user-lsn.ts';

/**
 * A server that is not in recovery is no replica, and yields no row. Written by hand: the builder does not know PostgreSQL's
 * log and its functions.
 */
const replayPosition: Statement = {
  name: 'replica_replay_position',
  text:
    "select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as lsn, " +
    '(select lineage from replica_lineage) as epoch where pg_is_in_recovery()',
};

interface Position {
  readonly lsn: Lsn;
  readonly epoch: string | null;
}

/** How long a replica may take to respond, in milliseconds. Then the read goes to the primary. */
const queryTimeoutMs = 1_000;

/**
 * A read replica, and how far it is known to have replayed the primary's log.
 * @param poolSize the maximum number of connections
 * @param timeout of locks and statements, in milliseconds
 */
export const connectReplica = (url: string, poolSize: number, timeout: number) => {
  const connections = connectTo(url, poolSize, Math.min(timeout, queryTimeoutMs));
  const sessionUntil = (deadline: number): SqlSession => postgresSession(connections, deadline);
  const readsUntil = coalescedReads(sessionUntil);
  let replayed: Lsn = -1;
  /** The timeline epoch that it has replayed; undefined while it serves no reads. */
  let epoch: string | undefined;

  return {
    /** Whether it belongs to this primary's timeline epoch and has replayed the log up to the LSN. */
    hasReached: (ofPrimary: string, lsn: Lsn): boolean => epoch === ofPrimary && replayed >= lsn,

    /** As `hasReached`, for any epoch. */
    mayHaveReached: (lsn: Lsn): boolean => epoch !== undefined && replayed >= lsn,

    /** Updates its epoch and LSN. A replica that does not respond serves no reads until it does. */
    poll: async (): Promise<void> => {
      try {
        const session = sessionUntil(performance.now() + queryTimeoutMs);
        const [row] = await session.query<Position>(replayPosition, []);
        replayed = row?.lsn ?? -1;
        epoch = row?.epoch ?? undefined;
      } catch {
        epoch = undefined;
      }
    },

    /**
     * Runs a read.
     * @param deadline the caller's deadline; half of the remaining time is kept for the primary
     * @throws when it fails. Unless the read conflicted with replay, the replica serves no reads until the next poll.
     */
    read: async <T>(from: (reads: ReadSession) => Promise<T>, deadline: number): Promise<T> => {
      const now = performance.now();
      try {
        return await from(readsUntil(now + Math.min(queryTimeoutMs, (deadline - now) / 2)));
      } catch (error) {
        // The replay of the log cancels a read that conflicts with it, and no other.
        if (!(error instanceof ConcurrencyConflict)) epoch = undefined;
        throw error;
      }
    },

    close: (): Promise<void> => connections.close(),
  };
};

export type Replica = ReturnType<typeof connectReplica>;
