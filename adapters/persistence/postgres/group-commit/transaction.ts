import type { PoolClient } from 'pg';
import { noDeadline } from '../../deadline.ts';
import { ConcurrencyConflict } from '../../retry.ts';
import type { BoundStatement, Statement } from '../../sql/session.ts';
import { begin } from '../connection/begin.ts';
import type { Connections } from '../connection/pool.ts';
import type { Answered } from '../pipeline/pipeline.ts';

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

/** What a group does on its connection, which is given back when it has been undone. It begins with the first question. */
export class Transaction {
  readonly #connections: Connections;
  readonly #client: PoolClient;
  readonly #until: number;
  /** When it was, by `performance.now()`. */
  #begun: number | undefined;

  /** @param until when nobody waits for an answer any more */
  constructor(connections: Connections, client: PoolClient, until: number) {
    this.#connections = connections;
    this.#client = client;
    this.#until = until;
  }

  /** @throws as a session does */
  ask(asked: readonly BoundStatement[]): Promise<readonly Answered[]> {
    return this.#exchange(asked, false);
  }

  /**
   * @param last what is left to be done before
   * @param commitBy when the commit may not be begun any more
   * @throws as a session does, and what the database says when it is too late
   */
  async commit(last: readonly BoundStatement[], commitBy: number): Promise<void> {
    const begun = this.#begun ?? performance.now();
    const guard =
      commitBy === noDeadline ? [] : [{ statement: requireTimeLeft, values: [Math.floor(commitBy - begun)] }];
    const answers = await this.#exchange([...last, ...guard, commit], true);
    // A commit of what has failed is answered, too.
    if (answers.at(-1)?.tag !== 'COMMIT') throw new ConcurrencyConflict('It was not committed.');
  }

  async undo(reason?: unknown): Promise<void> {
    if (this.#begun !== undefined) await this.#connections.undo(this.#client, reason, this.#until);
    else this.#client.release();
  }

  async #exchange(asked: readonly BoundStatement[], isCommit: boolean): Promise<readonly Answered[]> {
    const send = (all: readonly BoundStatement[]) =>
      this.#connections.exchange(this.#client, all, this.#until, isCommit);
    if (this.#begun !== undefined) return send(asked);
    this.#begun = performance.now();
    if (this.#connections.canPrepare) return (await send([beginning, ...asked])).slice(1);
    // Behind a pooler it brings settings along, which are statements of their own.
    await this.#connections.send(this.#client, this.#connections.begin, this.#until);
    return send(asked);
  }
}
