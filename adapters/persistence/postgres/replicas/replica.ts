import { ConcurrencyConflict } from '#application/errors.ts';
import type { ReadSession, SqlSession } from '../../sql/session.ts';
import type { Statement } from '../../sql/sql-table.ts';
import { connectTo } from '../connection/connect-to.ts';
import type { ConnectionPool } from '../connection/pool.ts';
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

/** How long a replica may take to respond, in milliseconds. Then the read goes to the primary. */
const queryTimeoutMs = 1_000;

/** A read replica, and how far it is known to have replayed the primary's log. */
export class Replica {
  readonly #connections: ConnectionPool;
  readonly #readsUntil = coalescedReads((deadline) => this.#sessionUntil(deadline));
  #lsn: Lsn = -1;
  /** The timeline epoch that it has replayed; undefined while it serves no reads. */
  #epoch: string | undefined;

  constructor(url: string, poolSize: number, timeout: number) {
    this.#connections = connectTo(url, poolSize, Math.min(timeout, queryTimeoutMs));
  }

  /** Whether it belongs to this primary's timeline epoch and has replayed the log up to the LSN. */
  hasReached(epoch: string, lsn: Lsn): boolean {
    return this.#epoch === epoch && this.#lsn >= lsn;
  }

  /** As `hasReached`, for any epoch. */
  mayHaveReached(lsn: Lsn): boolean {
    return this.#epoch !== undefined && this.#lsn >= lsn;
  }

  /** Updates its epoch and LSN. A replica that does not respond serves no reads until it does. */
  async poll(): Promise<void> {
    try {
      const [row] = await this.#sessionUntil(performance.now() + queryTimeoutMs).query<{
        readonly lsn: Lsn;
        readonly epoch: string | null;
      }>(replayPosition, []);
      this.#lsn = row?.lsn ?? -1;
      this.#epoch = row?.epoch ?? undefined;
    } catch {
      this.#epoch = undefined;
    }
  }

  /**
   * Runs a read.
   * @param deadline the caller's deadline; half of the time left is kept for the primary
   * @throws when it fails. Unless the read conflicted with replay, the replica serves no reads until the next poll.
   */
  async read<T>(from: (reads: ReadSession) => Promise<T>, deadline: number): Promise<T> {
    const now = performance.now();
    try {
      return await from(this.#readsUntil(now + Math.min(queryTimeoutMs, (deadline - now) / 2)));
    } catch (error) {
      // The replay of the log cancels a read that conflicts with it, and no other.
      if (!(error instanceof ConcurrencyConflict)) this.#epoch = undefined;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #sessionUntil(deadline: number): SqlSession {
    return postgresSession(this.#connections, deadline);
  }
}
