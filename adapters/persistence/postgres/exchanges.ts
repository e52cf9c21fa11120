import type { Row } from '../schema/entities/table.ts';
import type { ReadSession } from '../sql/session.ts';
import type { BoundStatement } from '../sql/sql-table.ts';
import type { StatementResult } from './pipeline/pipeline.ts';
import type { Transaction } from './transaction.ts';

/** A read without a transaction. */
export type ReadOutside = (reads: ReadSession) => Promise<readonly Row[]>;

/** A statement that waits for its exchange. */
interface PendingStatement {
  readonly bound: BoundStatement;
  /** The same read without a transaction; undefined for a statement that needs one. */
  readonly readOutside: ReadOutside | undefined;
  readonly resolve: (result: StatementResult | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What is sent in one round trip, in this order. */
interface Exchange {
  readonly writes: readonly BoundStatement[];
  /** Before the other reads, so that those see what the owner of the lock before has committed. */
  readonly locks: PendingStatement[];
  readonly reads: PendingStatement[];
}

/**
 * The exchanges of a unit of work, sent one after the other. What is issued together shares one.
 *
 * The transaction begins with the first lock, or the first write that a read must see. Before that nothing needs one: each
 * statement sees the latest commit, in a transaction (read committed) as outside of it. So those reads share statements with
 * other requests, and hold no connection.
 *
 * After the first error nothing is sent.
 */
export class Exchanges {
  readonly #transaction: Transaction;
  readonly #reads: ReadSession;
  /** The exchange that later reads and locks still join; undefined once it is sent. */
  #open: Exchange | undefined;
  /** Settles with the last exchange so far; never rejects. */
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /** @param reads without a transaction */
  constructor(transaction: Transaction, reads: ReadSession) {
    this.#transaction = transaction;
    this.#reads = reads;
  }

  /** Opens an exchange that begins with writes. What is issued from now on sees them, and what was issued before does not. */
  openWith(writes: readonly BoundStatement[]): Exchange {
    const exchange: Exchange = { writes, locks: [], reads: [] };
    this.#open = exchange;
    this.#last = this.#last.then(endOfMicrotasks).then(() => this.#send(exchange));
    return exchange;
  }

  /** Rejects as a session does, and when an earlier statement has failed. So do the others. */
  read(bound: BoundStatement, readOutside: ReadOutside): Promise<StatementResult | undefined> {
    return join((this.#open ?? this.openWith([])).reads, bound, readOutside);
  }

  lock(bound: BoundStatement): Promise<StatementResult | undefined> {
    return join((this.#open ?? this.openWith([])).locks, bound);
  }

  /** Sends writes and one statement. What is issued behind it is sent behind it. */
  execute(writes: readonly BoundStatement[], bound: BoundStatement): Promise<StatementResult | undefined> {
    const { reads } = this.openWith(writes);
    this.#open = undefined;
    return join(reads, bound);
  }

  /** Waits for the last exchange. @throws the first error of a statement */
  async end(): Promise<void> {
    await this.#last;
    this.throwIfFailed();
  }

  /** @throws the first error of a statement */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #send(exchange: Exchange): Promise<void> {
    if (this.#open === exchange) this.#open = undefined;
    const { writes } = exchange;
    const pending = [...exchange.locks, ...exchange.reads];
    try {
      this.throwIfFailed();
      if (this.#canReadOutside(exchange)) return await this.#readOutside(pending);
      const results = await this.#transaction.send([...writes, ...pending.map(({ bound }) => bound)]);
      pending.forEach(({ resolve }, index) => {
        resolve(results[writes.length + index]);
      });
    } catch (error) {
      this.#failure ??= { error };
      for (const { reject } of pending) reject(error);
    }
  }

  #canReadOutside({ writes, locks, reads }: Exchange): boolean {
    const needsTransaction = writes.length > 0 || locks.length > 0 || this.#transaction.hasBegun;
    return !needsTransaction && reads.every(({ readOutside }) => readOutside !== undefined);
  }

  async #readOutside(pending: readonly PendingStatement[]): Promise<void> {
    const results = await Promise.all(pending.map(({ readOutside }) => readOutside?.(this.#reads)));
    pending.forEach(({ resolve }, index) => {
      resolve({ rows: results[index] ?? [], tag: '' });
    });
  }
}

const join = (
  to: PendingStatement[],
  bound: BoundStatement,
  readOutside?: ReadOutside,
): Promise<StatementResult | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<StatementResult | undefined>();
  to.push({ bound, readOutside, resolve, reject });
  return promise;
};

/** Resolves when everything that could be issued without waiting has been issued. */
const endOfMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
