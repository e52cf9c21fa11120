import type { ClientBase, Pool, PoolClient, PoolConfig } from 'pg';
import { withTimeout } from '#adapters/support/timeout.ts';
import { deadlineExceeded, noDeadline, throwIfExpired } from '../../retry.ts';
import type { BoundStatement } from '../../sql/sql-table.ts';
import { TransactionSlots } from '../../sql/transaction-slots.ts';
import { impliesStaleConnections, isConnectionUsable, translateError } from '../errors.ts';
import { Pipeline, type StatementResult } from '../pipeline/pipeline.ts';
import { type Abandoned, cancelAndDrain } from './cancel.ts';
import { begin, rollback, setUpSession, transactionSettings } from './connection-setup.ts';
import { closeDeadConnections } from './dead-connection-watchdog.ts';
import { evictIdle, PoolSockets } from './pool-sockets.ts';

/** How long a request may wait for a connection, free or new, in milliseconds. */
const maxAcquireTimeoutMs = 2_000;

/** How long Portico waits beyond the server's own timeout, so that the server can report it. */
const responseGraceMs = 250;

/**
 * What the driver's connection pool lacks: it sets each session up, detects poolers, keeps deadlines, cancels abandoned
 * statements and evicts connections that have fallen silent.
 */
export class ConnectionPool {
  readonly pool: Pool;
  readonly #timeout: number;
  readonly #acquireTimeout: number;
  readonly #sockets = new PoolSockets();
  readonly #stopWatchdog: (() => void) | undefined;
  readonly #transactionSlots: TransactionSlots;
  readonly #inTransaction = new Set<PoolClient>();
  /** The connections with a statement under way whose response is no longer awaited. */
  readonly #abandoned = new WeakMap<PoolClient, Abandoned>();
  #acquiredCount = 0;
  #isBehindPooler = false;

  /**
   * @param pool one without connections: its options, which each new connection reads, are completed here
   * @param timeout of locks and statements, in milliseconds; 0 is no limit
   */
  constructor(pool: Pool, timeout: number) {
    this.pool = pool;
    this.#timeout = timeout;
    this.#acquireTimeout = timeout === 0 ? 0 : Math.min(timeout, maxAcquireTimeoutMs);
    Object.assign(pool.options, {
      connectionTimeoutMillis: this.#acquireTimeout,
      keepAlive: true,
      stream: () => this.#sockets.create(),
      onConnect: (client) => this.#setUp(client),
    } satisfies PoolConfig);
    this.#transactionSlots = new TransactionSlots(pool.options.max);
    pool.on('release', (_, client) => {
      if (this.#inTransaction.delete(client)) this.#transactionSlots.release();
    });
    if (timeout > 0) this.#stopWatchdog = closeDeadConnections(pool, this.#maxResponseTime);
    pool.on('acquire', () => {
      this.#acquiredCount += 1;
    });
  }

  /** How many requests wait for a connection, and how many have acquired one so far. */
  get queue(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.pool.waitingCount, served: this.#acquiredCount };
  }

  /** How many transactions wait for their turn, and how many have had it so far. */
  get transactionQueue(): TransactionSlots['queue'] {
    return this.#transactionSlots.queue;
  }

  /** The statements that begin a transaction; behind a pooler they bring the session's settings along. */
  get begin(): readonly BoundStatement[] {
    return this.#isBehindPooler ? [begin, transactionSettings(this.#timeout)] : [begin];
  }

  /**
   * Acquires a connection. One that is free only after the deadline goes to the next request.
   * @throws ApplicationError 'unavailable' when none is free in time
   */
  async acquire(deadline: number): Promise<PoolClient> {
    throwIfExpired(deadline);
    const acquiring = this.#translateErrors(this.pool.connect());
    const left = deadline - performance.now();
    if (left > this.#acquireTimeout) return acquiring;
    const client = await withTimeout(left, acquiring, undefined);
    if (client !== undefined) return client;
    acquiring.then(
      (late) => late.release(),
      () => undefined,
    );
    throw deadlineExceeded(new Error('No connection was free in time.'));
  }

  /**
   * Acquires a connection for a transaction, which ends when the connection is released.
   * @throws as `acquire` does
   */
  async acquireForTransaction(deadline: number): Promise<PoolClient> {
    throwIfExpired(deadline);
    await this.#transactionSlots.acquire(deadline);
    try {
      const client = await this.acquire(deadline);
      this.#inTransaction.add(client);
      return client;
    } catch (error) {
      this.#transactionSlots.release();
      throw error;
    }
  }

  /**
   * Sends a statement over any free connection. The wait for the connection counts towards the deadline.
   * @throws the translated error
   */
  async query(statement: BoundStatement, deadline: number): Promise<StatementResult | undefined> {
    const client = await this.acquire(deadline);
    try {
      const [result] = await this.exchange(client, [statement], deadline, false);
      client.release();
      return result;
    } catch (error) {
      if (this.#abandoned.has(client)) await this.rollbackAndRelease(client, error, deadline);
      else client.release(!isConnectionUsable(error));
      throw error;
    }
  }

  /**
   * Sends several statements in one round trip. After an error the server skips the statements behind it, a commit among
   * them, and the connection must be returned by `rollbackAndRelease`.
   * @param isCommit whether the last statement is a commit. It is awaited a moment longer, because nothing can undo it.
   * @throws the translated error
   */
  async exchange(
    client: PoolClient,
    statements: readonly BoundStatement[],
    deadline: number,
    isCommit: boolean,
  ): Promise<readonly StatementResult[]> {
    if (!isCommit) throwIfExpired(deadline);
    // Behind a pooler no prepared statement lasts: the next transaction may get another connection of the server.
    const canPrepare = !this.#isBehindPooler;
    const { results: response } = client.query(new Pipeline(statements, canPrepare));
    const responseBy = isCommit ? deadline + responseGraceMs : deadline;
    return this.#translateErrors(this.#withDeadline(client, { response, isCommit }, responseBy));
  }

  /**
   * Rolls back and returns the connection to the pool. A broken connection is closed, which rolls back as well; one with an
   * abandoned statement returns after `cancelAndDrain`, and the caller does not wait for that.
   */
  async rollbackAndRelease(client: PoolClient, reason: unknown, deadline: number): Promise<void> {
    const rollbackBy = Math.max(deadline, performance.now() + responseGraceMs);
    const isRolledBack =
      !this.#abandoned.has(client) &&
      isConnectionUsable(reason) &&
      (await this.exchange(client, [rollback], rollbackBy, false).then(
        () => true,
        () => false,
      ));
    const abandoned = this.#abandoned.get(client);
    if (abandoned === undefined) client.release(!isRolledBack);
    else void this.#cancelAndRelease(client, abandoned);
  }

  /** Closes the connections, by force where the server does not respond. @param closeOrm closes MikroORM, if it uses the pool */
  async close(closeOrm?: () => Promise<void>): Promise<void> {
    await this.#sockets.close(async () => {
      await closeOrm?.();
      // MikroORM ends the pool only if it has sent a query itself.
      if (!this.pool.ended) await this.pool.end();
    });
    this.#stopWatchdog?.();
  }

  get #maxResponseTime(): number {
    return this.#timeout === 0 ? noDeadline : this.#timeout + responseGraceMs;
  }

  /** The server's own timeout ends a statement first, unless the deadline comes before it. */
  async #withDeadline<T>(
    client: PoolClient,
    statement: Abandoned & { readonly response: Promise<T> },
    deadline: number,
  ): Promise<T> {
    const left = deadline - performance.now();
    if (left >= this.#maxResponseTime) return statement.response;
    const response = await withTimeout(left, statement.response, timedOut);
    if (response !== timedOut) return response;
    this.#abandoned.set(client, statement);
    throw deadlineExceeded(new Error('No response came in time.'));
  }

  async #cancelAndRelease(client: PoolClient, abandoned: Abandoned): Promise<void> {
    const outcome = await cancelAndDrain(client, abandoned);
    this.#abandoned.delete(client);
    if (outcome === 'silent') evictIdle(this.pool);
    client.release(outcome !== 'usable');
  }

  async #setUp(client: ClientBase): Promise<void> {
    const isDirect = await setUpSession(client, this.#timeout, this.#acquireTimeout);
    // One connection behind a pooler is enough: from then on nothing is prepared, which is right for both.
    this.#isBehindPooler ||= !isDirect;
  }

  async #translateErrors<T>(response: Promise<T>): Promise<T> {
    try {
      return await response;
    } catch (error) {
      if (impliesStaleConnections(error)) evictIdle(this.pool);
      throw translateError(error);
    }
  }
}

const timedOut = Symbol('timed out');
