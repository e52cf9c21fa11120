import { ConcurrencyConflict } from '#application/errors.ts';
import type { Value } from '../schema/entities/table.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import type { SqliteConnection } from './connection.ts';

/**
 * The session of one run of a unit of work, in a transaction that it may share. After the first error it executes nothing, and
 * the unit of work fails even if its work has caught the error.
 */
export class SqliteUnitSession implements SqlSession {
  readonly #connection: SqliteConnection;
  #failure: { readonly error: unknown } | undefined;
  #hasEnded = false;
  #hasChanged = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  query<Row>(statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#send(() => this.#connection.query<Row>(statement, values));
  }

  /** @throws ConcurrencyConflict when fewer than `expectedRows` were changed (optimistic locking) */
  execute(statement: Statement, values: readonly Value[], expectedRows = 0): Promise<number> {
    return this.#send(() => {
      const changed = this.#connection.execute(statement, values);
      // A statement that fails or matches no row has nothing to roll back.
      if (changed > 0) this.#hasChanged = true;
      if (changed < expectedRows)
        throw new ConcurrencyConflict(`${statement.name} changed ${changed} rows, not ${expectedRows}.`);
      return changed;
    });
  }

  /** Ends the run: later calls are rejected. @throws the first error of a statement */
  end(): void {
    this.#hasEnded = true;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Ends the run and undoes its changes, if any by rolling back the whole transaction. */
  rollback(): void {
    this.#hasEnded = true;
    if (this.#hasChanged) this.#connection.rollback();
    this.#hasChanged = false;
  }

  #send<R>(act: () => R): Promise<R> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    if (this.#hasEnded) return Promise.reject(new Error('The unit of work has ended.'));
    try {
      return Promise.resolve(act());
    } catch (error) {
      this.#failure = { error };
      return Promise.reject(error);
    }
  }
}
