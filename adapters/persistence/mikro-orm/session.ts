import type { Value } from './tables/table.ts';

/** Prepared once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  /** With `$1`, `$2` and so on for the values, each of them once and in this order. */
  readonly text: string;
  /** The same for several rows at once: it takes a list of ids, and gives the rows that there are in any order. */
  readonly forMany?: Statement;
}

/**
 * One connection to the database, or as many as it likes when nothing has to be undone.
 *
 * Both methods throw what the refusal means here: DomainError 'conflict', RaceLost, ApplicationError 'unavailable',
 * or the driver's own error when it is a defect of ours.
 */
export interface Session {
  query<Row>(statement: Statement, values: readonly Value[]): Promise<readonly Row[]>;
  /**
   * @param mustChange how many rows it must change; in a unit of work with fewer the race is lost: somebody else was first
   * @returns how many rows it changed
   */
  execute(statement: Statement, values: readonly Value[], mustChange?: number): Promise<number>;
}
