import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#application/errors.ts';
import { noDeadline, throwIfExpired } from '../../deadline.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { SqliteConnection } from '../connection.ts';
import { isBusy, translateError } from '../errors.ts';
import type { FileIdentityGuard } from '../files/file-identity.ts';
import { Batch, type WriteRequest } from './batch.ts';

/** How long a request waits for other processes to release the write lock, in milliseconds from when it was made. */
const defaultLockTimeoutMs = 3_000;

export interface WriteOptions {
  /** When the client stops waiting, on the clock of `performance.now()`. */
  readonly deadline?: number;
  /** Whether it has a transaction of its own. */
  readonly isSolo?: boolean;
  /** Whether it must survive a power loss. */
  readonly isDurable?: boolean;
}

/**
 * Queue of the transactions of the one connection that writes. Group commit: the requests of one turn of the event loop share
 * a transaction, because the commit is what costs.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #files: FileIdentityGuard;
  readonly #lockTimeoutMs: number;
  readonly #requests: WriteRequest[] = [];
  #pending = 0;
  #settled = 0;
  #onDrained: (() => void) | undefined;
  #isRunning = false;
  #isDurable = true;
  #wake: (() => void) | undefined;

  /**
   * @param connection one whose commits wait for the disk (`synchronous = full`)
   * @param lockTimeoutMs how long a request waits for other processes to release the write lock
   */
  constructor(connection: SqliteConnection, files: FileIdentityGuard, lockTimeoutMs = defaultLockTimeoutMs) {
    this.#connection = connection;
    this.#files = files;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  /** How many requests wait or execute, and how many have been settled since the start. */
  get stats(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#pending, served: this.#settled };
  }

  /**
   * Resolves after the commit. When the task fails all of its changes are rolled back, and nothing else is.
   * @throws the error of the task; ConcurrencyConflict; ApplicationError 'unavailable'
   */
  run<T>(task: (session: SqlSession) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { deadline = noDeadline, isSolo = false, isDurable = true } = options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#pending += 1;
    this.#enqueue({
      run: async (session) => {
        const result = await task(session);
        return () => {
          this.#countSettled();
          resolve(result);
        };
      },
      reject: (error) => {
        this.#countSettled();
        reject(error);
      },
      deadline,
      queueDeadline: Math.min(deadline, performance.now() + this.#lockTimeoutMs),
      isSolo,
      isDurable,
    });
    return promise;
  }

  /** Resolves when every request made so far has been settled. */
  async drain(): Promise<void> {
    if (this.#pending === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  #countSettled(): void {
    this.#pending -= 1;
    this.#settled += 1;
    if (this.#pending === 0) this.#onDrained?.();
  }

  #enqueue(request: WriteRequest): void {
    this.#requests.push(request);
    if (this.#isRunning) this.#wake?.();
    else void this.#process();
  }

  async #process(): Promise<void> {
    this.#isRunning = true;
    for (let first = this.#requests[0]; first !== undefined; first = this.#requests[0]) {
      try {
        this.#setDurable(first.isDurable);
        await this.#begin(first);
      } catch (error) {
        this.#requests.shift();
        first.reject(error);
        continue;
      }
      const batch = new Batch(
        this.#connection,
        (request) => this.#enqueue({ ...request, isSolo: true }),
        () => this.#files.checkNow(),
      );
      await (first.isSolo ? this.#executeFirst(batch) : this.#fill(batch));
      this.#requests.unshift(...batch.commit());
    }
    this.#isRunning = false;
  }

  /** SQLite accepts this pragma only outside of a transaction. */
  #setDurable(isDurable: boolean): void {
    if (isDurable !== this.#isDurable) this.#connection.setDurable(isDurable);
    this.#isDurable = isDurable;
  }

  /** Retries with jitter instead of waiting in the driver, which would block the event loop. */
  async #begin({ queueDeadline, deadline }: WriteRequest): Promise<void> {
    for (;;) {
      this.#files.check();
      try {
        return this.#connection.begin();
      } catch (error) {
        if (!isBusy(error)) throw translateError(error);
        throwIfExpired(deadline);
        if (performance.now() > queueDeadline) throw new UnavailableError('conflict', error);
      }
      await sleep(1 + Math.random() * 5);
    }
  }

  async #executeFirst(batch: Batch): Promise<void> {
    const first = this.#requests.shift();
    if (first !== undefined) await batch.execute(first);
  }

  /**
   * Batch window: executes the requests that wait, and those that arrive, until the batch is full or this turn of the event
   * loop ends.
   */
  async #fill(batch: Batch): Promise<void> {
    let hasEnded = false;
    const endOfTurn = setImmediate(() => {
      hasEnded = true;
      batch.evictRunning();
      this.#wake?.();
    });
    while (!hasEnded && !batch.isFull) {
      const next = this.#requests[0];
      if (next !== undefined && !next.isSolo && batch.hasRoom) {
        this.#requests.shift();
        await batch.execute(next);
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    clearImmediate(endOfTurn);
  }
}
