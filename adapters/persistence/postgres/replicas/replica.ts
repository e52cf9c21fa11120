import { ConcurrencyConflict } from '../../retry.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { SqlSession, Statement } from '../../sql/session.ts';
import { Connections } from '../connection/pool.ts';
import { finding } from '../read-coalescing/data-loader.ts';
import { postgresSession } from '../session.ts';
import type { Position } from './user-lsn.ts';

/** One that follows nobody has nothing to say, whatever it was before. */
const whereabouts: Statement = {
  name: 'replica_whereabouts',
  text:
    "select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as position, " +
    '(select lineage from replica_lineage) as lineage where pg_is_in_recovery()',
};

/** How long a replica is given to answer, in milliseconds: the primary is asked then. */
const patience = 1_000;

/** A server that follows the primary, and how far it is known to have come. */
export class Replica {
  readonly #connections: Connections;
  readonly #ask = finding((until) => this.#sessionUntil(until));
  #position: Position = -1;
  /** Of which primary it is one; undefined while it is left out. */
  #lineage: string | undefined;

  constructor(url: string, poolSize: number, timeout: number) {
    this.#connections = Connections.to(url, poolSize, Math.min(timeout, patience));
  }

  /** Whether it is one of this primary's, and has come so far. */
  has(lineage: string, position: Position): boolean {
    return this.#lineage === lineage && this.#position >= position;
  }

  /** Whether it may have come so far. */
  mayHave(position: Position): boolean {
    return this.#lineage !== undefined && this.#position >= position;
  }

  /** Finds out how far it has come. One that cannot say is left out until it can. */
  async look(): Promise<void> {
    try {
      const [row] = await this.#sessionUntil(performance.now() + patience).query<{
        readonly position: Position;
        readonly lineage: string | null;
      }>(whereabouts, []);
      this.#position = row?.position ?? -1;
      this.#lineage = row?.lineage ?? undefined;
    } catch {
      this.#lineage = undefined;
    }
  }

  /**
   * @param until when the one who asked must have an answer; half of that time is left for the primary
   * @throws when it cannot answer; when it is away it is left out then
   */
  async query<Row>(statement: Statement, values: readonly Value[], until: number): Promise<readonly Row[]> {
    const now = performance.now();
    try {
      return await this.#ask<Row>(statement, values, now + Math.min(patience, (until - now) / 2));
    } catch (error) {
      // What it replays may have been in the way of this statement only.
      if (!(error instanceof ConcurrencyConflict)) this.#lineage = undefined;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connections.close(() => this.#connections.pool.end());
  }

  #sessionUntil(until: number): SqlSession {
    return postgresSession(this.#connections, until);
  }
}
