import type { Row, Value } from '../schema/entities/table.ts';
import { jsonOf, valuesOf } from '../sql/direct-session.ts';
import type { ReadSession, TableSession } from '../sql/session.ts';
import type { BoundStatement, PageQuery, SqlTable, Statement } from '../sql/sql-table.ts';
import type { StatementResult } from './pipeline/pipeline.ts';
import { affectedRows } from './session.ts';
import type { Transaction } from './transaction.ts';
import { WriteSet } from './write-set.ts';

/** A statement that waits for its exchange. */
interface PendingStatement {
  readonly bound: BoundStatement;
  /** The same read without a transaction; undefined for a statement that needs one. */
  readonly readOutside: ReadOutside | undefined;
  readonly resolve: (result: StatementResult | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type ReadOutside = (reads: ReadSession) => Promise<readonly Row[]>;

/** What is sent in one round trip, in this order. */
interface Exchange {
  readonly writes: BoundStatement[];
  /** Before the other reads, so that those see what the owner of the lock before has committed. */
  readonly locks: PendingStatement[];
  readonly reads: PendingStatement[];
}

/**
 * The session of a unit of work on PostgreSQL. Reads that are issued together share an exchange. Writes wait in the write set
 * until a read of their table or the commit, whose exchange they share.
 *
 * Its transaction begins with the first lock, or the first write that a read must see. Before that nothing needs one: each
 * statement sees the latest commit, in a transaction (read committed) as outside of it. So those reads share statements with
 * other requests, and hold no connection.
 *
 * After the first error no statement is sent, and the unit of work fails even if its work has caught the error.
 */
export class UnitSession implements TableSession {
  readonly #transaction: Transaction;
  readonly #reads: ReadSession;
  readonly #writes = new WriteSet();
  /** The exchange that later reads and locks still join; undefined once it is sent. */
  #open: Exchange | undefined;
  /** Settles with the last exchange so far; never rejects. */
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #hasEnded = false;
  #hasExecuted = false;

  /** @param reads without a transaction */
  constructor(transaction: Transaction, reads: ReadSession) {
    this.#transaction = transaction;
    this.#reads = reads;
  }

  async find(table: SqlTable, key: readonly Value[]): Promise<Row | undefined> {
    const readOutside: ReadOutside = async (reads) => {
      const row = await reads.find(table, key);
      return row === undefined ? [] : [row];
    };
    return (await this.#readRows(table, { statement: table.find, values: key }, readOutside))[0];
  }

  findBy(table: SqlTable, column: string, values: readonly Value[]): Promise<readonly Row[]> {
    const bound = { statement: table.findBy(column), values: [jsonOf(column, values)] };
    return this.#readRows(table, bound, (reads) => reads.findBy(table, column, values));
  }

  page(table: SqlTable, query: PageQuery): Promise<readonly Row[]> {
    return this.#readRows(table, table.page(query), (reads) => reads.page(table, query));
  }

  async lock(table: SqlTable, key: readonly Value[]): Promise<Row | undefined> {
    return (await this.#readRows(table, { statement: table.lock, values: key }))[0];
  }

  lockBy(table: SqlTable, column: string, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#readRows(table, { statement: table.lockBy(column), values: [jsonOf(column, values)] });
  }

  async insert(table: SqlTable, row: Row): Promise<void> {
    this.#throwIfOver();
    const values = valuesOf(table.insert, row);
    this.#writes.insert(table, [row], { statement: table.insert, values });
  }

  async insertAll(table: SqlTable, rows: readonly Row[]): Promise<void> {
    this.#throwIfOver();
    this.#writes.insert(table, rows, { statement: table.insertAll, values: [JSON.stringify(rows)] });
  }

  async update(table: SqlTable, row: Row): Promise<void> {
    this.#throwIfOver();
    const values = valuesOf(table.update, row);
    this.#writes.update(table, [row], { statement: table.update, values });
  }

  async updateAll(table: SqlTable, rows: readonly Row[]): Promise<void> {
    this.#throwIfOver();
    const values = valuesOf(table.updateAll, { rows: JSON.stringify(rows), count: rows.length });
    this.#writes.update(table, rows, { statement: table.updateAll, values });
  }

  async remove(table: SqlTable, key: readonly Value[]): Promise<void> {
    this.#throwIfOver();
    this.#writes.remove(table, key, { statement: table.remove, values: key });
  }

  /**
   * Sends all pending writes, and then a statement that is no operation on a table. It may take an advisory lock, so the unit
   * of work ends with a commit that is waited for: a later try for that lock would fail before the rollback.
   */
  async query<R>(statement: Statement, values: readonly Value[]): Promise<readonly R[]> {
    this.#hasExecuted = true;
    return ((await this.#raw({ statement, values }))?.rows ?? []) as readonly unknown[] as readonly R[];
  }

  /** As `query`. */
  async execute(statement: Statement, values: readonly Value[]): Promise<number> {
    this.#hasExecuted = true;
    return affectedRows(await this.#raw({ statement, values }));
  }

  /** Whether there is anything to commit. */
  get hasChanged(): boolean {
    return this.#hasExecuted || this.#writes.changes.length > 0;
  }

  /** Whether it may be committed together with others: it has only added rows, and its transaction has not begun. */
  get canShareCommit(): boolean {
    return !this.#transaction.hasBegun && this.#writes.hasOnlyInserts;
  }

  /**
   * Ends the session when the work has ended: later calls send nothing.
   * @returns the pending writes, for the exchange with the commit
   * @throws the first error of a statement
   */
  async end(): Promise<readonly BoundStatement[]> {
    this.#hasEnded = true;
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#writes.flush();
  }

  /** @param readOutside undefined for a lock */
  async #readRows(
    table: SqlTable,
    bound: BoundStatement,
    readOutside?: ReadOutside,
  ): Promise<readonly Row[]> {
    this.#throwIfOver();
    const needsWrites = this.#writes.isPending(table);
    // Reads that were issued before those writes must not see them.
    const exchange = needsWrites ? this.#openExchange() : (this.#open ?? this.#openExchange());
    if (needsWrites) exchange.writes.push(...this.#writes.flush());
    const result = await join(readOutside ? exchange.reads : exchange.locks, bound, readOutside);
    const rows = result?.rows ?? [];
    for (const row of rows) this.#writes.read(table, row);
    return rows;
  }

  async #raw(bound: BoundStatement): Promise<StatementResult | undefined> {
    this.#throwIfOver();
    const exchange = this.#openExchange();
    exchange.writes.push(...this.#writes.flush());
    // What is issued behind it is sent behind it.
    this.#open = undefined;
    return join(exchange.reads, bound);
  }

  /** Exchanges are sent one after the other. Reads join one until everything is issued that needs no wait. */
  #openExchange(): Exchange {
    const exchange: Exchange = { writes: [], locks: [], reads: [] };
    this.#open = exchange;
    this.#last = this.#last.then(endOfMicrotasks).then(() => this.#send(exchange));
    return exchange;
  }

  async #send(exchange: Exchange): Promise<void> {
    if (this.#open === exchange) this.#open = undefined;
    const pending = [...exchange.locks, ...exchange.reads];
    try {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#canReadOutside(exchange)) return await this.#readOutside(pending);
      const results = await this.#transaction.send([
        ...exchange.writes,
        ...pending.map(({ bound }) => bound),
      ]);
      pending.forEach(({ resolve }, index) => {
        resolve(results[exchange.writes.length + index]);
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

  #throwIfOver(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#hasEnded) throw new Error('The unit of work has ended.');
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
