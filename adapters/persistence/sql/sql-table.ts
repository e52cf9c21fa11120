import type { CreationPeriod, PageRequest, PaidPeriod } from '#application/ports/repositories.ts';
import type { Value } from '../schema/entities/table.ts';

/** A prepared statement: each connection prepares it once, under its name. */
export interface Statement {
  readonly name: string;
  /** In the wording of one dialect. Those written by hand have the parameters `$1`, `$2` and so on, each once and in order. */
  readonly text: string;
}

/** A statement with the values of its parameters. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly Value[];
}

/** A statement whose parameters have names, in the order in which their values are bound. */
export interface CompiledStatement extends Statement {
  readonly parameters: readonly string[];
}

export interface PageQuery extends Omit<PageRequest, 'after' | keyof (CreationPeriod & PaidPeriod)> {
  readonly filter: object;
  /** The id that the page begins after; undefined for the first page. */
  readonly after?: string | undefined;
  /** For a page of a period. `partsOfPeriod` returns all of them. */
  readonly part?: PeriodPart | undefined;
}

/** A period, and the ids among which one statement reads what was created or paid in it. */
export interface PeriodPart extends CreationPeriod, PaidPeriod {
  /** Inclusive. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly before?: string | undefined;
  /** Whether the times in the ids of this part are around the period, or beside it. */
  readonly isAround: boolean;
}

export type FindPage = (query: PageQuery) => BoundStatement;

export interface TableDescription {
  readonly name: string;
  /** In the order in which their values are bound. */
  readonly columns: readonly string[];
  /** The columns of the primary key: the id by default. */
  readonly key?: readonly string[];
  /** Whether an update replaces only the version before its own: true by default. */
  readonly isVersioned?: boolean;
  /** The column of each field that pages can be filtered by. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The possible values of those fields that have few of them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** A table with its statements in one dialect. There is one object for each, compared by identity. */
export interface SqlTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly find: CompiledStatement;
  readonly lock: CompiledStatement;
  /** Accepts a list of values for each column of the key. It may find a combination of two keys that was not asked for. */
  readonly findAll: CompiledStatement;
  readonly insert: CompiledStatement;
  /** Accepts rows as `Dialect.rowsFromJson` does, like the other statements for several rows. */
  readonly insertAll: CompiledStatement;
  readonly update: CompiledStatement;
  /** Accepts the number of rows too, where the database counts them. */
  readonly updateAll: CompiledStatement;
  readonly remove: CompiledStatement;
  readonly page: FindPage;
  /** Accepts rows that have only this column. */
  findBy(column: string): CompiledStatement;
  /** Accepts rows as `findBy` does, and the maximum number of rows for each value. */
  firstBy(column: string): CompiledStatement;
  /** Like `findBy`, and locks the rows. */
  lockBy(column: string): CompiledStatement;
}
