import { ConcurrencyConflict } from '../../retry.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { SqlSession, Statement } from '../../sql/session.ts';
import type { Connection } from '../connection.ts';

/**
 * What one run of a unit of work has of a transaction that it may share with others. Once a statement was refused none
 * that follows is carried out, and none after it has ended: as `conduct` has it where a statement has to be waited for.
 */
export class GuardedSession implements SqlSession {
  readonly #connection: Connection;
  #refusal: { readonly error: unknown } | undefined;
  #hasEnded = false;
  #hasChanged = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  query<Row>(statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#send(() => this.#connection.ask<Row>(statement, values));
  }

  execute(statement: Statement, values: readonly Value[], expectedRows = 0): Promise<number> {
    return this.#send(() => {
      const changed = this.#connection.change(statement, values);
      // What is refused, or finds nothing to change, leaves nothing to be undone.
      if (changed > 0) this.#hasChanged = true;
      if (changed < expectedRows) throw new ConcurrencyConflict(`Too little left for ${statement.name}.`);
      return changed;
    });
  }

  /** @throws what was refused, even if the work took no notice */
  end(): void {
    this.#hasEnded = true;
    if (this.#refusal !== undefined) throw this.#refusal.error;
  }

  /** Ends it with nothing of it left. Where it has changed something, the whole transaction is rolled back. */
  undo(): void {
    this.#hasEnded = true;
    if (this.#hasChanged) this.#connection.rollBack();
    this.#hasChanged = false;
  }

  #send<R>(act: () => R): Promise<R> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal.error);
    if (this.#hasEnded) return Promise.reject(new Error('The unit of work has ended.'));
    try {
      return Promise.resolve(act());
    } catch (error) {
      this.#refusal = { error };
      return Promise.reject(error);
    }
  }
}
