import { noDeadline } from '../deadline.ts';
import { retryOnConflict } from '../retry.ts';
import type { Value } from '../schema/entities/table.ts';

/** A prepared statement: each connection prepares it once, under its name. */
export interface Statement {
  readonly name: string;
  /** With the parameters `$1`, `$2` and so on, each of them once and in this order. */
  readonly text: string;
  /** What it does to which table, where several of its kind may be executed as one (group commit, coalesced reads). */
  readonly operation?: RowOperation;
}

/** A statement with the values of its parameters. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly Value[];
}

export interface RowOperation {
  readonly kind: 'find' | 'lock' | 'list' | 'insert' | 'update' | 'remove';
  readonly table: TableShape;
}

/** A table whose rows are found by their key and replaced as a whole. There is one object per table, compared by identity. */
export interface TableShape {
  readonly name: string;
  /** Key columns first. An insert takes the values in this order, an update takes those of the key last. */
  readonly columns: readonly string[];
  readonly keyLength: number;
  /** Whether an update takes the version that it replaces as its last value (optimistic locking). */
  readonly hasVersions: boolean;
}

/**
 * One connection to the database, or any number of them where no transaction is needed.
 *
 * Both methods throw DomainError 'conflict', ConcurrencyConflict or ApplicationError 'unavailable', or the driver's own error
 * when it is a defect of ours.
 */
export interface SqlSession {
  query<Row>(statement: Statement, values: readonly Value[]): Promise<readonly Row[]>;
  /**
   * @param expectedRows how many rows it must change; with fewer, a unit of work throws a ConcurrencyConflict
   * @returns how many rows it changed
   */
  execute(statement: Statement, values: readonly Value[], expectedRows?: number): Promise<number>;
}

/** A session for reads outside of units of work. Each read is retried on its own after a conflict. */
export const readSession = (session: SqlSession, deadline = noDeadline): SqlSession => ({
  query: (statement, values) => retryOnConflict(() => session.query(statement, values), deadline),
  execute: () => Promise.reject(new TypeError('A read session cannot execute changes.')),
});

/**
 * The time of the database, in milliseconds since 1970.
 * @param clock returns it as `now`
 */
export const databaseTime = async (session: SqlSession, clock: Statement): Promise<number> => {
  const [row] = await session.query<{ readonly now: number }>(clock, []);
  if (row === undefined) throw new TypeError('The clock statement returned no row.');
  return row.now;
};
