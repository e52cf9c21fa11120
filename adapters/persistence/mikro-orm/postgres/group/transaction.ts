import type { PoolClient } from 'pg';
import { RaceLost } from '../../../race-lost.ts';
import type { Answered, Asked } from '../batch.ts';
import { begin } from '../begin.ts';
import type { Connections } from '../connections.ts';

const beginning: Asked = { statement: { name: 'begin', text: begin }, values: [] };
const commit: Asked = { statement: { name: 'commit', text: 'commit' }, values: [] };

/** What a group does on its connection, which is given back when it has been committed or undone. It begins with the first question. */
export class Transaction {
  readonly #connections: Connections;
  readonly #client: PoolClient;
  readonly #until: number;
  #isBegun = false;

  /** @param until when nobody waits for an answer any more */
  constructor(connections: Connections, client: PoolClient, until: number) {
    this.#connections = connections;
    this.#client = client;
    this.#until = until;
  }

  /** @throws as a session does */
  ask(asked: readonly Asked[]): Promise<readonly Answered[]> {
    return this.#exchange(asked, false);
  }

  /** @param last what is left to be done before. @throws as a session does */
  async commit(last: readonly Asked[]): Promise<void> {
    const answers = await this.#exchange([...last, commit], true);
    // A commit of what has failed is answered, too.
    if (answers.at(-1)?.tag !== 'COMMIT') throw new RaceLost('It was not committed.');
    this.#client.release();
  }

  async undo(reason?: unknown): Promise<void> {
    if (this.#isBegun) await this.#connections.undo(this.#client, reason, this.#until);
    else this.#client.release();
  }

  async #exchange(asked: readonly Asked[], isCommit: boolean): Promise<readonly Answered[]> {
    const send = (all: readonly Asked[]) =>
      this.#connections.exchange(this.#client, all, this.#until, isCommit);
    if (this.#isBegun) return send(asked);
    this.#isBegun = true;
    if (this.#connections.canPrepare) return (await send([beginning, ...asked])).slice(1);
    // Behind a pooler it brings settings along, which are statements of their own.
    await this.#connections.send(this.#client, { text: this.#connections.begin }, this.#until);
    return send(asked);
  }
}
