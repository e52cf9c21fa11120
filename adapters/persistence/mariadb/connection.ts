import { UnavailableError } from '#application/errors.ts';
import { deadlineExceeded } from '../retry.ts';
import type { Row, Value } from '../schema/entities/table.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import type { Statement } from '../sql/sql-table.ts';
import { translateError } from './errors.ts';
import { noResponseError } from './not-ready.ts';
import type { DriverConnection } from './orm.ts';

/** What the driver returns: rows, or the counts of a change. */
export type StatementResult = readonly Row[] | { readonly affectedRows: number };

/** How long a canceled statement may take to end before its connection is closed, in milliseconds. */
const cancelTimeoutMs = 500;

/** How much later than the server this process gives a statement up, in milliseconds. The server's error has more details. */
const marginMs = 500;

/* Written by hand: the builder has no statements that control a transaction. */
const rollback: Statement = { name: 'roll_back', text: 'rollback' };
const commit: Statement = { name: 'commit', text: 'commit' };

type Done = (error: Error | null, result: unknown) => void;

/** One connection of the driver, which executes one statement at a time. Its methods throw what a session throws. */
export class MariaDbConnection {
  readonly driver: DriverConnection;
  readonly #timeoutMs: number;
  readonly #kill: (id: number) => Promise<void>;
  /** The statement that is under way, and the attempt to cancel it; never rejects. */
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  /**
   * @param timeoutMs of each statement, in milliseconds
   * @param kill cancels the statement of a connection by its id
   */
  constructor(driver: DriverConnection, timeoutMs: number, kill: (id: number) => Promise<void>) {
    this.driver = driver;
    this.#timeoutMs = timeoutMs;
    this.#kill = kill;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Executes a prepared statement. At the deadline the statement is canceled.
   * @param deadline on the clock of `performance.now()`
   */
  execute(statement: Statement, values: readonly Value[], deadline: number): Promise<StatementResult> {
    const send = (done: Done) => this.driver.execute(statement.text, [...values], done);
    return this.#send(statement, deadline, send, (ended) => this.#cancel(ended));
  }

  /** Executes a statement that is not prepared, such as `start transaction`. */
  control(statement: Statement, deadline: number): Promise<StatementResult> {
    const send = (done: Done) => this.driver.query(statement.text, done);
    return this.#send(statement, deadline, send, (ended) => this.#cancel(ended));
  }

  /** Commits. A commit is never canceled, because what the server has done by then would be unknown. */
  commit(): Promise<StatementResult> {
    const send = (done: Done) => this.driver.query(commit.text, done);
    return this.#send(commit, Number.POSITIVE_INFINITY, send, async () => this.close());
  }

  /** Waits for the statement under way and undoes the transaction. It never throws: a connection that fails is closed. */
  async rollback(): Promise<void> {
    await this.#running;
    if (this.#isClosed) return;
    try {
      await this.control(rollback, performance.now() + cancelTimeoutMs);
    } catch {
      this.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#running = Promise.resolve();
    this.driver.destroy();
  }

  #send(
    { name }: Statement,
    deadline: number,
    send: (done: Done) => void,
    giveUp: (ended: Promise<void>) => Promise<void>,
  ): Promise<StatementResult> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    const ended = Promise.withResolvers<void>();
    this.#running = ended.promise;
    const limitMs = this.#timeoutMs + marginMs;
    const remainingMs = deadline - performance.now();
    const timer = setTimeout(
      () => {
        const cause = noResponseError();
        reject(remainingMs < limitMs ? deadlineExceeded(cause) : unavailable(cause));
        this.#running = giveUp(ended.promise);
      },
      Math.max(0, Math.min(limitMs, remainingMs)),
    );
    send((error, result) => {
      clearTimeout(timer);
      ended.resolve();
      if (error === null) return resolve(result as StatementResult);
      const translated = translateError(error, name);
      if (isConnectionLost(translated)) this.close();
      reject(translated);
    });
    return promise;
  }

  /** Waits for the end of the statement, and of the `kill`, which could otherwise hit a later statement. */
  async #cancel(ended: Promise<void>): Promise<void> {
    const isOver = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => isOver.resolve(false), cancelTimeoutMs);
    Promise.all([ended, this.#kill(this.driver.threadId ?? 0)]).then(
      () => isOver.resolve(true),
      () => isOver.resolve(false),
    );
    if (!(await isOver.promise)) this.close();
    clearTimeout(timer);
  }
}

/** @param error translated */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof UnavailableError && error.reason === 'database-unavailable';
