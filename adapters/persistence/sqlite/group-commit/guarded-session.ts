import { ConcurrencyConflict } from '../../retry.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Statement } from '../../sql/sql-table.ts';
import type { SqliteConnection } from '../connection.ts';

/**
 * The session of one run of a unit of work, within a transaction that others may share. It executes nothing after its first
 * failed statement, and nothing once it is closed.
 */
export class GuardedSession implements SqlSession {
  readonly #connection: SqliteConnection;
  #failure: { readonly error: unknown } | undefined;
  #isClosed = false;
  #hasChanges = false;

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
      // A statement that fails or matches no row leaves nothing to roll back.
      if (changed > 0) this.#hasChanges = true;
      if (changed < expectedRows)
        throw new ConcurrencyConflict(`${statement.name} changed ${changed} rows, not ${expectedRows}.`);
      return changed;
    });
  }

  /** @throws the error of the statement that failed, even if the work has caught it */
  close(): void {
    this.#isClosed = true;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Closes it and discards its changes, if any by rolling back the whole transaction. */
  rollback(): void {
    this.#isClosed = true;
    if (this.#hasChanges) this.#connection.rollback();
    this.#hasChanges = false;
  }

  #send<R>(act: () => R): Promise<R> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    if (this.#isClosed) return Promise.reject(new Error('The unit of work has ended.'));
    try {
      return Promise.resolve(act());
    } catch (error) {
      this.#failure = { error };
      return Promise.reject(error);
    }
  }
}
