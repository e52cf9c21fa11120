import { endOfTurn, sleep } from '#adapters/support/time.ts';
import { UnavailableError } from '#application/errors.ts';
import { noDeadline, throwIfExpired } from '../retry.ts';
import { retried, type SqlSession } from '../sql/session.ts';
import type { SqliteConnection } from './connection.ts';
import { isBusy, translateError } from './errors.ts';
import { noFiles } from './files/file-identity.ts';
import { SqliteUnitSession } from './unit-session.ts';

/** How long a unit waits for other processes to release the write lock, in milliseconds from when it was enqueued. */
const defaultLockTimeoutMs = 3_000;

/** Bounds how long one batch blocks the event loop, in units. */
const maxBatchSize = 64;

export interface WriteOptions {
  /** When the client stops waiting, on the clock of `performance.now()`. */
  readonly deadline?: number;
  /** Whether it must survive a power loss. A unit that need not runs alone. */
  readonly isDurable?: boolean;
}

/** Settles the promise of the caller. */
type Settle = () => void;

/** A unit of work that waits for its transaction. It may run more than once. */
interface Unit extends Required<WriteOptions> {
  readonly run: (session: SqlSession) => Promise<Settle>;
  readonly reject: (error: unknown) => void;
  /** Until when it waits for the write lock, on the clock of its deadline. */
  readonly lockDeadline: number;
  /** Whether it has a transaction of its own. */
  readonly isAlone: boolean;
}

/** A unit that has run. Its outcome holds only if the transaction commits. */
interface Member {
  readonly unit: Unit;
  readonly settle: Settle;
  readonly isRejected: boolean;
}

/**
 * Group commit: the units of one turn of the event loop (the batch window) share a transaction, because the commit is what
 * costs. They run one after the other and are settled after the commit. Errors wait for it too, because another unit's
 * uncommitted change may have caused them.
 *
 * A unit that fails after it has changed rows rolls back the whole transaction. Then the others run again
 * together, and this one runs again alone.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #files: typeof noFiles;
  readonly #lockTimeoutMs: number;
  readonly #units: Unit[] = [];
  readonly #stats = { waiting: 0, served: 0 };
  #isRunning = false;

  /**
   * @param files checked before each transaction begins and after each commit
   * @param lockTimeoutMs how long a unit waits for other processes to release the write lock
   */
  constructor(connection: SqliteConnection, files = noFiles, lockTimeoutMs = defaultLockTimeoutMs) {
    this.#connection = connection;
    this.#files = files;
    this.#lockTimeoutMs = lockTimeoutMs;
  }

  /** How many units wait or run, and how many have been settled since the start. */
  get stats(): { readonly waiting: number; readonly served: number } {
    return this.#stats;
  }

  /**
   * Resolves after the commit. When the work fails all of its changes are rolled back, and nothing else is.
   * @throws the error of the work; ConcurrencyConflict; ApplicationError 'unavailable'
   */
  run<T>(work: (session: SqlSession) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { deadline = noDeadline, isDurable = true } = options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#stats.waiting += 1;
    this.#enqueue({
      run: async (session) => {
        const result = await work(session);
        return () => resolve(result);
      },
      reject,
      deadline,
      lockDeadline: performance.now() + this.#lockTimeoutMs,
      isDurable,
      isAlone: !isDurable,
    });
    return promise;
  }

  /** A session in which each statement is a unit of its own (autocommit), which is retried on conflict. */
  autocommit(options?: WriteOptions): SqlSession {
    return retried({
      query: (statement, values) => this.run((session) => session.query(statement, values), options),
      execute: (statement, values, expectedRows) =>
        this.run((session) => session.execute(statement, values, expectedRows), options),
    });
  }

  /** Resolves when every unit has been settled. */
  async drain(): Promise<void> {
    while (this.#stats.waiting > 0) await sleep(1);
  }

  #enqueue(unit: Unit): void {
    this.#units.push(unit);
    if (!this.#isRunning) void this.#process();
  }

  async #process(): Promise<void> {
    this.#isRunning = true;
    for (let first = this.#units[0]; first !== undefined; first = this.#units[0]) {
      // Units that arrive in this turn join the batch, unless it is full already: turns are long while many requests arrive.
      if (!first.isAlone && this.#units.length < maxBatchSize) await endOfTurn();
      try {
        await this.#begin(first);
      } catch (error) {
        this.#units.shift();
        this.#settle(() => first.reject(error));
        continue;
      }
      this.#commit(await this.#runBatch(first.isAlone));
    }
    this.#isRunning = false;
  }

  /** Waits for the write lock here, with jitter, because a wait in the driver would block the event loop. */
  async #begin({ deadline, lockDeadline, isDurable }: Unit): Promise<void> {
    for (;;) {
      this.#files.check();
      try {
        return this.#connection.begin(isDurable);
      } catch (error) {
        if (!isBusy(error)) throw translateError(error);
        throwIfExpired(deadline);
        if (performance.now() > lockDeadline) throw new UnavailableError('conflict', error);
      }
      await sleep(1 + Math.random() * 5);
    }
  }

  /** Runs units from the head of the queue, until the batch is full or the transaction has been rolled back. */
  async #runBatch(isAlone: boolean): Promise<readonly Member[]> {
    const members: Member[] = [];
    const maxSize = isAlone ? 1 : maxBatchSize;
    const endOfNextTurn = endOfTurn();
    while (members.length < maxSize && this.#connection.isInTransaction) {
      const unit = this.#units[0];
      if (unit?.isAlone !== isAlone) break;
      this.#units.shift();
      const session = new SqliteUnitSession(this.#connection);
      const running = runUnit(unit, session);
      const member = await (isAlone ? running : Promise.race([running, endOfNextTurn]));
      if (member === undefined) {
        // It waits for something else than the database, and the others do not wait for it.
        session.rollback();
        void running.then(() => this.#runAlone(unit));
        break;
      }
      if (this.#connection.isInTransaction) members.push(member);
      else if (members.length > 0) this.#runAlone(unit);
      else this.#settle(member.settle);
    }
    return members;
  }

  #runAlone(unit: Unit): void {
    this.#enqueue({ ...unit, isAlone: true });
  }

  /** Commits and settles the members, or runs them again when the transaction has been rolled back. */
  #commit(members: readonly Member[]): void {
    // An expired member is rejected when it runs again.
    if (members.some(isExpired)) this.#connection.rollback();
    if (!this.#connection.isInTransaction) {
      this.#units.unshift(...members.map(({ unit }) => unit));
      return;
    }
    try {
      this.#connection.commit();
      this.#files.checkNow();
      for (const { settle } of members) this.#settle(settle);
    } catch (error) {
      this.#connection.rollback();
      for (const { unit } of members) this.#settle(() => unit.reject(error));
    }
  }

  #settle(settle: Settle): void {
    this.#stats.waiting -= 1;
    this.#stats.served += 1;
    settle();
  }
}

/** Runs a unit, and rolls back what it has changed when it is rejected. Never rejects. */
const runUnit = async (unit: Unit, session: SqliteUnitSession): Promise<Member> => {
  try {
    throwIfExpired(unit.deadline);
    const settle = await unit.run(session);
    session.end();
    return { unit, settle, isRejected: false };
  } catch (error) {
    session.rollback();
    return { unit, settle: () => unit.reject(error), isRejected: true };
  }
};

/** A rejected member has changed nothing, so its error is delivered even after its deadline. */
const isExpired = ({ unit, isRejected }: Member): boolean =>
  !isRejected && performance.now() >= unit.deadline;
