import type { Value } from '../schema/entities/table.ts';

/** Prepared once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  /** With `$1`, `$2` and so on for the values, each of them once and in this order. */
  readonly text: string;
  /** What it does, where somebody else may do it together with what others do. */
  readonly operation?: RowOperation;
}

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly Value[];
}

export interface RowOperation {
  readonly kind: 'find' | 'hold' | 'list' | 'insert' | 'update' | 'remove';
  readonly table: TableShape;
}

/** A table whose rows are found by their key, and replaced as a whole. There is one for each table, and it is known by being that. */
export interface TableShape {
  readonly name: string;
  /** The key comes first. An insert takes them so, an update those of the key behind the others. */
  readonly columns: readonly string[];
  readonly keyLength: number;
  /** Whether an update takes the version, last of all, that it replaces. */
  readonly hasVersions: boolean;
}

/**
 * One connection to the database, or as many as it likes when nothing has to be undone.
 *
 * Both methods throw what the refusal means here: DomainError 'conflict', ConcurrencyConflict, ApplicationError 'unavailable',
 * or the driver's own error when it is a defect of ours.
 */
export interface SqlSession {
  query<Row>(statement: Statement, values: readonly Value[]): Promise<readonly Row[]>;
  /**
   * @param expectedRows how many rows it must change; in a unit of work with fewer the race is lost: somebody else was first
   * @returns how many rows it changed
   */
  execute(statement: Statement, values: readonly Value[], expectedRows?: number): Promise<number>;
}
