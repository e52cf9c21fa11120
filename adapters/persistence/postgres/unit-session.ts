import type { Row, Value } from '../schema/entities/table.ts';
import { jsonOf, valuesOf } from '../sql/direct-session.ts';
import type { ReadSession, TableSession } from '../sql/session.ts';
import type { BoundStatement, PageQuery, SqlTable, Statement } from '../sql/sql-table.ts';
import { Exchanges, type ReadOutside } from './exchanges.ts';
import type { StatementResult } from './pipeline/pipeline.ts';
import { affectedRows, rowsOf } from './session.ts';
import type { Transaction } from './transaction.ts';
import { WriteSet } from './write-set.ts';

/**
 * The session of a unit of work on PostgreSQL. Reads that are issued together share an exchange. Writes wait in the write set
 * until a read of their table or the commit, whose exchange they share.
 *
 * After the first error the unit of work fails, even if its work has caught the error.
 */
export class UnitSession implements TableSession {
  readonly #transaction: Transaction;
  readonly #exchanges: Exchanges;
  readonly #writes = new WriteSet();
  #hasEnded = false;
  #hasExecuted = false;

  /** @param reads without a transaction */
  constructor(transaction: Transaction, reads: ReadSession) {
    this.#transaction = transaction;
    this.#exchanges = new Exchanges(transaction, reads);
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

  firstBy(table: SqlTable, column: string, values: readonly Value[], limit: number): Promise<readonly Row[]> {
    const bound = { statement: table.firstBy(column), values: [jsonOf(column, values), limit] };
    return this.#readRows(table, bound, (reads) => reads.firstBy(table, column, values, limit));
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
   * Sends all pending writes, and then a statement that is no operation on a table. It may acquire an advisory lock, so the unit
   * of work ends with a commit that is waited for: a later try for that lock would fail before the rollback.
   */
  async query<R>(statement: Statement, values: readonly Value[]): Promise<readonly R[]> {
    return rowsOf(await this.#execute({ statement, values }));
  }

  /** As `query`. */
  async execute(statement: Statement, values: readonly Value[]): Promise<number> {
    return affectedRows(await this.#execute({ statement, values }));
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
    await this.#exchanges.end();
    return this.#writes.flush();
  }

  /** @param readOutside undefined for a lock */
  async #readRows(
    table: SqlTable,
    bound: BoundStatement,
    readOutside?: ReadOutside,
  ): Promise<readonly Row[]> {
    this.#throwIfOver();
    if (this.#writes.isPending(table)) this.#exchanges.openWith(this.#writes.flush());
    const result = await (readOutside
      ? this.#exchanges.read(bound, readOutside)
      : this.#exchanges.lock(bound));
    const rows = rowsOf<Row>(result);
    for (const row of rows) this.#writes.read(table, row);
    return rows;
  }

  async #execute(bound: BoundStatement): Promise<StatementResult | undefined> {
    this.#throwIfOver();
    this.#hasExecuted = true;
    return this.#exchanges.execute(this.#writes.flush(), bound);
  }

  #throwIfOver(): void {
    this.#exchanges.throwIfFailed();
    if (this.#hasEnded) throw new Error('The unit of work has ended.');
  }
}
