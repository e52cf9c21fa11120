import type { PoolClient } from 'pg';
import { noDeadline } from '../../deadline.ts';
import { ConcurrencyConflict } from '../../retry.ts';
import type { BoundStatement, Statement } from '../../sql/session.ts';
import { begin } from '../connection/connection-setup.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import type { StatementResult } from '../pipeline/pipeline.ts';

const beginning: BoundStatement = { statement: { name: 'begin', text: begin }, values: [] };
const commit: BoundStatement = { statement: { name: 'commit', text: 'commit' }, values: [] };

/**
 * The last statement before `commit`, which raises ZP002 when the deadline has passed: the statements before it may have
 * waited for a lock. `$1` is the time left when the transaction began, in milliseconds; the database's clock measures it.
 */
const requireTimeLeft: Statement = {
  name: 'require_time_left',
  text: "select portico_require(clock_timestamp() < now() + $1::int * interval '1 millisecond', 'ZP002')",
};

/** The transaction of a group on its connection. It begins with the first statement. */
export class Transaction {
  readonly #connections: ConnectionPool;
  readonly #client: PoolClient;
  readonly #until: number;
  /** When it began, by `performance.now()`. */
  #begun: number | undefined;

  /** @param until the latest deadline among the members */
  constructor(connections: ConnectionPool, client: PoolClient, until: number) {
    this.#connections = connections;
    this.#client = client;
    this.#until = until;
  }

  /** @throws as a session does */
  send(statements: readonly BoundStatement[]): Promise<readonly StatementResult[]> {
    return this.#exchange(statements, false);
  }

  /**
   * Sends the last statements, the check of the deadline and the commit in one round trip.
   * @param last the statements of the write set
   * @param commitBy the latest start of the commit, by `performance.now()`
   * @throws as a session does; ApplicationError 'unavailable' when the deadline has passed
   */
  async commit(last: readonly BoundStatement[], commitBy: number): Promise<void> {
    const begun = this.#begun ?? performance.now();
    const guard =
      commitBy === noDeadline ? [] : [{ statement: requireTimeLeft, values: [Math.floor(commitBy - begun)] }];
    const results = await this.#exchange([...last, ...guard, commit], true);
    // PostgreSQL turns the commit of a failed transaction into a rollback, without an error.
    if (results.at(-1)?.tag !== 'COMMIT') throw new ConcurrencyConflict('The transaction was rolled back.');
  }

  async undo(reason?: unknown): Promise<void> {
    if (this.#begun !== undefined)
      await this.#connections.rollbackAndRelease(this.#client, reason, this.#until);
    else this.#client.release();
  }

  async #exchange(
    statements: readonly BoundStatement[],
    isCommit: boolean,
  ): Promise<readonly StatementResult[]> {
    const send = (all: readonly BoundStatement[]) =>
      this.#connections.exchange(this.#client, all, this.#until, isCommit);
    if (this.#begun !== undefined) return send(statements);
    this.#begun = performance.now();
    if (this.#connections.canPrepare) return (await send([beginning, ...statements])).slice(1);
    // Behind a pooler several commands set the transaction up, which no pipeline may hold as one statement.
    await this.#connections.sendCommand(this.#client, this.#connections.begin, this.#until);
    return send(statements);
  }
}
