import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import { withTimeout } from '#adapters/support/timeout.ts';
import { noDeadline, throwIfExpired } from '../../deadline.ts';
import { unavailable } from '../../sql/constraint-errors.ts';
import type { BoundStatement } from '../../sql/session.ts';
import { explain, isSound, makesSuspicious } from '../errors.ts';
import { type Answered, Batch } from '../pipeline/pipeline.ts';
import { begin, beginAmongOthers } from './begin.ts';
import { type Late, recall } from './cancel-abandoned.ts';
import { agree } from './connection-setup.ts';
import { Silence } from './dead-connection-watchdog.ts';
import { dropIdle } from './drop-idle.ts';
import { Sockets } from './sockets.ts';
import { takeWithin } from './take-within.ts';

export interface Limits {
  /** How long a lock or a statement may take, in milliseconds. 0 is for ever. */
  readonly timeout: number;
  /** Whether one connection is all there is, because it is in a transaction: when it breaks, no other takes its place. */
  readonly isSole?: boolean;
}

/** How long a turn or a new connection is waited for at the most, in milliseconds. */
const patience = 2_000;

/** How much longer than the server's own limit an answer is waited for, so that the server can say that it was reached. */
const grace = 250;

/**
 * What the driver's pool does not do by itself: find out who answers at the other end, hold everybody to their time, and
 * leave alone what does not answer any more.
 */
export class Connections {
  readonly #timeout: number;
  readonly #patience: number;
  readonly #sockets = new Sockets();
  /** The connections that are still at something that nobody waits for. */
  readonly #late = new WeakMap<PoolClient, Late>();
  readonly #isSole: boolean;
  #pool: Pool | undefined;
  #silence: Silence | undefined;
  #served = 0;
  #isPooled = false;
  #isGreeted = false;

  constructor({ timeout, isSole = false }: Limits) {
    this.#isSole = isSole;
    this.#timeout = timeout;
    this.#patience = timeout === 0 ? 0 : Math.min(timeout, patience);
  }

  /** What the pool has to be made with. */
  get options(): PoolConfig {
    return {
      connectionTimeoutMillis: this.#patience,
      keepAlive: true,
      stream: () => this.#sockets.make(),
      onConnect: (client) => this.#greet(client),
    };
  }

  /** Connections of their own pool. @param size how many at the most */
  static to(url: string, size: number, timeout: number): Connections {
    const connections = new Connections({ timeout });
    const pool = new Pool({ connectionString: url, max: size, ...connections.options });
    // One that breaks is noticed by whoever uses it, or thrown away where it idles.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    connections.use(pool);
    return connections;
  }

  /** @param pool made with the options */
  use(pool: Pool): void {
    this.#pool = pool;
    if (this.#timeout > 0) this.#silence = new Silence(pool, this.#longest);
    pool.on('acquire', () => {
      this.#served += 1;
    });
  }

  get pool(): Pool {
    if (this.#pool === undefined) throw new TypeError('There is no pool yet.');
    return this.#pool;
  }

  /** Who waits for a connection, and who has had one. */
  get turns(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.pool.waitingCount, served: this.#served };
  }

  /** What a transaction begins with. Where others use the connection in between, it brings its settings along. */
  get begin(): string {
    return this.#isPooled ? beginAmongOthers(this.#timeout) : begin;
  }

  /** Whether a statement that was prepared will be there the next time: a pooler hands us another connection then. */
  get canPrepare(): boolean {
    return !this.#isPooled;
  }

  /** @throws ApplicationError 'unavailable' */
  async take(until: number): Promise<PoolClient> {
    throwIfExpired(until);
    const taking = this.#explained(this.pool.connect());
    const left = until - performance.now();
    return left > this.#patience ? taking : takeWithin(left, taking);
  }

  /** Sends words to which there is nothing to be answered, as `exchange` sends statements. */
  async send(client: PoolClient, words: string, until: number): Promise<void> {
    throwIfExpired(until);
    const answer = client.query(words);
    await this.#explained(this.#inTime(client, { answer, isCommit: false }, until));
  }

  /**
   * Sends a statement over whichever connection is free. The wait for a turn takes its part of the time.
   * @throws what the refusal means here
   */
  async ask(asked: BoundStatement, until: number): Promise<Answered | undefined> {
    const client = await this.take(until);
    try {
      const [answer] = await this.exchange(client, [asked], until, false);
      client.release();
      return answer;
    } catch (error) {
      if (this.#late.has(client)) await this.undo(client, error, until);
      else client.release(!isSound(error));
      throw error;
    }
  }

  /**
   * Sends several statements at once, and waits for their answers until then at the most. When one is refused, those behind it
   * are not done. A connection on which that was in vain has to be given back by `undo`.
   * @param isCommit whether the last of them is one
   * @throws what the refusal means here
   */
  async exchange(
    client: PoolClient,
    asked: readonly BoundStatement[],
    until: number,
    isCommit: boolean,
  ): Promise<readonly Answered[]> {
    if (!isCommit) throwIfExpired(until);
    const { answer } = client.query(new Batch(asked, this.canPrepare));
    return this.#explained(this.#inTime(client, { answer, isCommit }, isCommit ? until + grace : until));
  }

  /** Once it is begun, it is waited for a moment longer, for nobody can take it back. */
  async commit(client: PoolClient, until: number): Promise<void> {
    const answer = client.query('commit');
    await this.#explained(this.#inTime(client, { answer, isCommit: true }, until + grace));
  }

  /**
   * Gives a connection back and undoes what was begun on it. One that is not sound any more is closed, which undoes
   * everything too; one that is still at something is given back once that has ended, and nobody waits for it.
   */
  async undo(client: PoolClient, reason: unknown, until: number): Promise<void> {
    const isUndone =
      !this.#late.has(client) &&
      isSound(reason) &&
      (await this.send(client, 'rollback', Math.max(until, performance.now() + grace)).then(
        () => true,
        () => false,
      ));
    const late = this.#late.get(client);
    if (late === undefined) client.release(!isUndone);
    else void this.#recall(client, late);
  }

  /** @param end ends the pool. What it waits for in vain is cut off. */
  async close(end: () => Promise<void>): Promise<void> {
    await this.#sockets.close(end);
    this.#silence?.end();
  }

  get #longest(): number {
    return this.#timeout === 0 ? noDeadline : this.#timeout + grace;
  }

  async #inTime<T>(
    client: PoolClient,
    late: Late & { readonly answer: Promise<T> },
    until: number,
  ): Promise<T> {
    const left = until - performance.now();
    if (left >= this.#longest) return late.answer;
    const answer = await withTimeout(left, late.answer, tooLate);
    if (answer !== tooLate) return answer;
    this.#late.set(client, late);
    throw unavailable(new Error('No answer came in time.'));
  }

  async #recall(client: PoolClient, late: Late): Promise<void> {
    const outcome = await recall(client, late);
    this.#late.delete(client);
    if (outcome === 'silent') dropIdle(this.pool);
    client.release(outcome !== 'ready');
  }

  async #greet(client: ClientBase): Promise<void> {
    if (this.#isSole && this.#isGreeted)
      throw new Error('Connection terminated, and all was undone with it.');
    this.#isGreeted = true;
    const isDirect = await agree(client, this.#timeout, this.#patience);
    // Once is enough: from then on nothing is prepared, which is right for both.
    this.#isPooled ||= !isDirect;
  }

  async #explained<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    if (makesSuspicious(error)) dropIdle(this.pool);
    return explain(error);
  }
}

const tooLate = Symbol('too late');
