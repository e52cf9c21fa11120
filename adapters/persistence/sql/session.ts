import { noDeadline, retryOnConflict } from '../retry.ts';
import type { Row, Value } from '../schema/entities/table.ts';
import type { PageQuery, SqlTable, Statement } from './sql-table.ts';

/**
 * One connection to the database, or any number of them where no transaction is needed.
 *
 * Both methods throw DomainError 'conflict', ConcurrencyConflict or ApplicationError 'unavailable', or the driver's own error
 * when it is a defect of ours.
 */
export interface SqlSession {
  query<R>(statement: Statement, values: readonly Value[]): Promise<readonly R[]>;
  /**
   * @param expectedRows how many rows it must change; with fewer, a unit of work throws a ConcurrencyConflict, unless
   *   the statement itself counts (`Dialect.requireRows`).
   * @returns how many rows it changed
   */
  execute(statement: Statement, values: readonly Value[], expectedRows?: number): Promise<number>;
}

/** Reads of tables. */
export interface ReadSession extends Pick<SqlSession, 'query'> {
  /** @param key the values of the table's key, in the order of its columns */
  find(table: SqlTable, key: readonly Value[]): Promise<Row | undefined>;
  /** Finds rows whose column has one of the values, in the order of their ids. */
  findBy(table: SqlTable, column: string, values: readonly Value[]): Promise<readonly Row[]>;
  /** Like `findBy`, but of each value only the first rows, up to the limit. */
  firstBy(table: SqlTable, column: string, values: readonly Value[], limit: number): Promise<readonly Row[]>;
  page(table: SqlTable, query: PageQuery): Promise<readonly Row[]>;
}

/**
 * Operations on the rows of tables: what repositories are made of. Each throws what a session throws.
 *
 * A session may delay a write until the next read of its table or until the commit. Then the error of the write arrives there,
 * and an update that found no row is a ConcurrencyConflict.
 */
export interface TableSession extends ReadSession, SqlSession {
  /** Finds a row, and locks it until the transaction ends. */
  lock(table: SqlTable, key: readonly Value[]): Promise<Row | undefined>;
  /** Like `findBy`, and locks each row. */
  lockBy(table: SqlTable, column: string, values: readonly Value[]): Promise<readonly Row[]>;
  insert(table: SqlTable, row: Row): Promise<void>;
  insertAll(table: SqlTable, rows: readonly Row[]): Promise<void>;
  /** Replaces a row; in a versioned table, only the version before the row's own (optimistic locking). */
  update(table: SqlTable, row: Row): Promise<void>;
  /** Like `update` for each row of a versioned table. No row may appear twice. */
  updateAll(table: SqlTable, rows: readonly Row[]): Promise<void>;
  remove(table: SqlTable, key: readonly Value[]): Promise<void>;
}

/**
 * Retries each statement on conflict.
 * @param session without a transaction
 * @param maxAttempts how often a statement is tried; the default of `retryOnConflict` otherwise
 */
export const retried = (session: SqlSession, maxAttempts?: number): SqlSession => ({
  query: (statement, values) =>
    retryOnConflict(() => session.query(statement, values), noDeadline, maxAttempts),
  execute: (statement, values, expectedRows) =>
    retryOnConflict(() => session.execute(statement, values, expectedRows), noDeadline, maxAttempts),
});

/**
 * Makes a function that reads the clock of the database, in milliseconds since 1970.
 * @param time the expression for it
 */
export const databaseClock = (session: SqlSession, time: string): (() => Promise<number>) => {
  // Written by hand: it is one expression that the builder would only pass on.
  const statement: Statement = { name: 'now', text: `select ${time} as now` };
  return async () => {
    const [row] = await session.query<{ readonly now: number }>(statement, []);
    if (row === undefined) throw new TypeError('The clock statement returned no row.');
    return row.now;
  };
};
