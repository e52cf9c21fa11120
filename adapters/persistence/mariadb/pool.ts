import { deadlineExceeded } from '../retry.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import { TransactionSlots } from '../sql/transaction-slots.ts';
import { MariaDbConnection } from './connection.ts';
import { translateError } from './errors.ts';
import { noResponseError } from './not-ready.ts';
import type { DriverConnection, DriverPool } from './orm.ts';
import { sessionSettings } from './session-settings.ts';

/** How long connections may take to close, in milliseconds, before the process closes them alone. */
const closeTimeoutMs = 500;

interface PoolOptions {
  /** The maximum number of connections. */
  readonly size: number;
  /** Of locks and statements, and of the wait for a connection, in milliseconds. */
  readonly timeoutMs: number;
}

/** The driver's pool, with a limit to every wait. Some connections are reserved for reads. */
export class MariaDbPool {
  readonly #driver: DriverPool;
  readonly #timeoutMs: number;
  readonly #slots: TransactionSlots;
  /** The open connections, and whether their settings have been made. */
  readonly #ready = new Map<DriverConnection, Promise<void>>();
  #inUse = 0;
  #waiting = 0;
  #served = 0;
  #isClosed = false;

  constructor(driver: DriverPool, { size, timeoutMs }: PoolOptions) {
    this.#driver = driver;
    this.#timeoutMs = timeoutMs;
    this.#slots = new TransactionSlots(size);
    driver.on('connection', (connection: DriverConnection) => this.#prepare(connection));
  }

  /** How many requests wait for a connection, and how many have had one so far. */
  get queue(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#waiting, served: this.#served };
  }

  get transactionQueue(): TransactionSlots['queue'] {
    return this.#slots.queue;
  }

  get stats(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const open = this.#ready.size;
    const waiting = this.#waiting + this.#slots.queue.waiting;
    return { open, idle: Math.max(0, open - this.#inUse), waiting };
  }

  /**
   * Acquires a connection. Call `release` when it is not needed any more.
   * @param deadline on the clock of `performance.now()`
   * @throws ApplicationError 'unavailable' when no connection is free in time, or the server cannot be reached
   */
  async acquire(deadline: number): Promise<MariaDbConnection> {
    if (this.#isClosed) throw unavailable(new Error('The store is closed.'));
    const driver = await this.#connection(deadline);
    this.#inUse += 1;
    const connection = new MariaDbConnection(driver, this.#timeoutMs, (id) => this.#kill(id));
    try {
      await this.#ready.get(driver);
    } catch (error) {
      connection.close();
      this.release(connection);
      throw translateError(error);
    }
    return connection;
  }

  release({ driver, isClosed }: MariaDbConnection): void {
    this.#inUse -= 1;
    if (isClosed) this.#ready.delete(driver);
    else driver.release();
  }

  /** Acquires a connection for a transaction. Call `releaseTransaction` when it has ended. */
  async acquireForTransaction(deadline: number): Promise<MariaDbConnection> {
    await this.#slots.acquire(deadline);
    try {
      return await this.acquire(deadline);
    } catch (error) {
      this.#slots.release();
      throw error;
    }
  }

  releaseTransaction(connection: MariaDbConnection): void {
    this.release(connection);
    this.#slots.release();
  }

  /**
   * Lets each connection send its quit command to the server, and closes those that it does not answer.
   * @param end ends the driver's pool
   */
  async close(end: () => Promise<void>): Promise<void> {
    this.#isClosed = true;
    const isLate = Promise.withResolvers<void>();
    const timer = setTimeout(isLate.resolve, closeTimeoutMs);
    await Promise.race([end(), isLate.promise]);
    clearTimeout(timer);
    for (const connection of this.#ready.keys()) connection.destroy();
  }

  #prepare(connection: DriverConnection): void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Only those who acquire the connection wait for it.
    promise.catch(() => undefined);
    this.#ready.set(connection, promise);
    connection.on('end', () => this.#ready.delete(connection));
    const timer = setTimeout(() => reject(unavailable(noResponseError())), this.#timeoutMs);
    // The driver sends it before every other statement.
    connection.query(sessionSettings(this.#timeoutMs), (error: Error | null) => {
      clearTimeout(timer);
      if (error === null) resolve();
      else reject(error);
    });
  }

  async #connection(deadline: number): Promise<DriverConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<DriverConnection>();
    const remainingMs = deadline - performance.now();
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        const cause = new Error('No connection was free in time.');
        reject(remainingMs < this.#timeoutMs ? deadlineExceeded(cause) : unavailable(cause));
      },
      Math.max(0, Math.min(this.#timeoutMs, remainingMs)),
    );
    this.#waiting += 1;
    this.#driver.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error !== null) reject(translateError(error));
      else if (isLate) connection.release();
      else resolve(connection);
    });
    try {
      return await promise;
    } finally {
      this.#waiting -= 1;
      this.#served += 1;
    }
  }

  /** Cancels the statement of a connection. Written by hand: no builder has it. */
  async #kill(id: number): Promise<void> {
    const connection = await this.acquire(Number.POSITIVE_INFINITY);
    try {
      await connection.control({ name: 'kill', text: `kill query ${id}` }, Number.POSITIVE_INFINITY);
    } finally {
      this.release(connection);
    }
  }
}
