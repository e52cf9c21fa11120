import type { PoolClient } from 'pg';
import { ConcurrencyConflict } from '#application/errors.ts';
import { latestCommitStart, noDeadline } from '../retry.ts';
import type { BoundStatement, Statement } from '../sql/sql-table.ts';
import type { ConnectionPool } from './connection/pool.ts';
import type { StatementResult } from './pipeline/pipeline.ts';

/** Written by hand, like `requireRemainingTime`: the builder has no statements that control a transaction. */
const commit: BoundStatement = { statement: { name: 'commit', text: 'commit' }, values: [] };

/**
 * The last statement before `commit`, which raises ZP002 when the deadline has passed: the statements before it may have
 * waited for a lock. `$1` is the remaining time when the transaction began, in milliseconds; the database's clock measures it.
 */
const requireRemainingTime: Statement = {
  name: 'require_time_left',
  text: "select portico_require(clock_timestamp() < now() + $1::int * interval '1 millisecond', 'ZP002')",
};

/**
 * A transaction over one connection, which it acquires and begins with its first exchange. An exchange is one round trip; after
 * an error in it the server skips the statements behind, a commit among them.
 *
 * Each method throws what a session throws.
 */
export class Transaction {
  readonly #connections: ConnectionPool;
  readonly #deadline: number;
  /** When its commit may be requested at the latest, on the clock of `performance.now()`. */
  readonly commitBy: number;
  #client: PoolClient | undefined;
  /** On the clock of `performance.now()`. */
  #begunAt = 0;

  /** @param deadline on the clock of `performance.now()` */
  constructor(connections: ConnectionPool, deadline: number, commitBy = latestCommitStart(deadline)) {
    this.#connections = connections;
    this.#deadline = deadline;
    this.commitBy = commitBy;
  }

  get hasBegun(): boolean {
    return this.#client !== undefined;
  }

  async send(statements: readonly BoundStatement[]): Promise<readonly StatementResult[]> {
    const { client, begin } = await this.#begun();
    const all = [...begin, ...statements];
    const results = await this.#connections.exchange(client, all, this.#deadline, false);
    return results.slice(begin.length);
  }

  /**
   * Commits with the last statements of the write set, unless the deadline has passed. It is never retried and never
   * cancelled: when its response is lost, the outcome is unknown.
   * @returns the connection, for the caller to release
   */
  async commit(last: readonly BoundStatement[]): Promise<PoolClient> {
    const { client, begin } = await this.#begun();
    const all = [...begin, ...last, ...this.#timeCheck, commit];
    const results = await this.#connections.exchange(client, all, this.#deadline, true);
    // PostgreSQL turns the commit of a failed transaction into a rollback, without an error.
    if (results.at(-1)?.tag !== 'COMMIT') throw new ConcurrencyConflict('The transaction was rolled back.');
    return client;
  }

  /** Rolls back and returns the connection to the pool. Never rejects. @param reason the error that has ended it, if any */
  async rollback(reason?: unknown): Promise<void> {
    if (this.#client !== undefined)
      await this.#connections.rollbackAndRelease(this.#client, reason, this.#deadline);
  }

  async #begun(): Promise<{ readonly client: PoolClient; readonly begin: readonly BoundStatement[] }> {
    if (this.#client !== undefined) return { client: this.#client, begin: [] };
    this.#client = await this.#connections.acquireForTransaction(this.#deadline);
    this.#begunAt = performance.now();
    return { client: this.#client, begin: this.#connections.begin };
  }

  get #timeCheck(): readonly BoundStatement[] {
    if (this.commitBy === noDeadline) return [];
    return [{ statement: requireRemainingTime, values: [Math.floor(this.commitBy - this.#begunAt)] }];
  }
}
