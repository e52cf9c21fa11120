import { ConcurrencyConflict } from '#application/errors.ts';
import { noDeadline } from '../retry.ts';
import { instantColumns } from '../schema/entities/all.ts';
import type { Value } from '../schema/entities/table.ts';
import type { SqlSession } from '../sql/session.ts';
import type { CompiledStatement, Statement } from '../sql/sql-table.ts';
import type { MariaDbConnection, StatementResult } from './connection.ts';
import type { MariaDbPool } from './pool.ts';

/** A session in which each statement commits by itself (autocommit), on any connection. */
export const mariadbSession = (pool: MariaDbPool, deadline = noDeadline): SqlSession => {
  const send = async (statement: Statement, values: readonly Value[]): Promise<StatementResult> => {
    const connection = await pool.acquire(deadline);
    let isDone = false;
    try {
      const result = await connection.execute(statement, bound(statement, values), deadline);
      isDone = true;
      return result;
    } finally {
      if (isDone) pool.release(connection);
      else void connection.rollback().then(() => pool.release(connection));
    }
  };
  return {
    query: async <R>(statement: Statement, values: readonly Value[]) =>
      rowsOf<R>(await send(statement, values)),
    execute: async (statement, values) => affectedRows(await send(statement, values)),
  };
};

const begin: Statement = { name: 'begin', text: 'start transaction' };

/**
 * The session of one run of a unit of work: a transaction on a connection of its own, which begins with the first statement.
 * Statements are sent one after the other. After the first error none is sent, and the unit of work fails even if its work has
 * caught the error: after a deadlock the server has no transaction any more, and would commit each further statement.
 */
export class MariaDbUnitSession implements SqlSession {
  readonly #pool: MariaDbPool;
  readonly #deadline: number;
  #connection: MariaDbConnection | undefined;
  /** Settles with the last statement so far; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #hasEnded = false;

  constructor(pool: MariaDbPool, deadline: number) {
    this.#pool = pool;
    this.#deadline = deadline;
  }

  async query<R>(statement: Statement, values: readonly Value[]): Promise<readonly R[]> {
    return rowsOf<R>(await this.#enqueue(statement, values, 0));
  }

  /** @throws ConcurrencyConflict when fewer than `expectedRows` were changed (optimistic locking) */
  async execute(statement: Statement, values: readonly Value[], expectedRows = 0): Promise<number> {
    return affectedRows(await this.#enqueue(statement, values, expectedRows));
  }

  /** Waits for all statements: later calls are rejected. @throws the first error of a statement */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** @throws ConcurrencyConflict, or ApplicationError 'unavailable', after which the outcome may be unknown */
  async commit(): Promise<void> {
    await this.#connection?.commit();
    this.#release();
  }

  /** Never throws, so that the error that caused the rollback is the one reported. */
  async rollback(): Promise<void> {
    this.#hasEnded = true;
    await this.#last;
    await this.#connection?.rollback();
    this.#release();
  }

  #release(): void {
    if (this.#connection !== undefined) this.#pool.releaseTransaction(this.#connection);
    this.#connection = undefined;
  }

  async #enqueue(
    statement: Statement,
    values: readonly Value[],
    expectedRows: number,
  ): Promise<StatementResult> {
    if (this.#failure === undefined && this.#hasEnded) throw new Error('The unit of work has ended.');
    const sent = this.#last.then(() => this.#send(statement, values, expectedRows));
    // The next statement only waits for this one, whose caller gets its error.
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  async #send(
    statement: Statement,
    values: readonly Value[],
    expectedRows: number,
  ): Promise<StatementResult> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      const connection = this.#connection ?? (await this.#begin());
      const result = await connection.execute(statement, bound(statement, values), this.#deadline);
      const changed = expectedRows > 0 ? affectedRows(result) : 0;
      if (changed < expectedRows)
        throw new ConcurrencyConflict(`${statement.name} changed ${changed} rows, not ${expectedRows}.`);
      return result;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async #begin(): Promise<MariaDbConnection> {
    this.#connection = await this.#pool.acquireForTransaction(this.#deadline);
    await this.#connection.control(begin, this.#deadline);
    return this.#connection;
  }
}

const rowsOf = <R>(result: StatementResult): readonly R[] =>
  (Array.isArray(result) ? result : []) as readonly unknown[] as readonly R[];

const affectedRows = (result: StatementResult): number =>
  'affectedRows' in result ? result.affectedRows : result.length;

/** The parameters that are instants: those named like a column, and those of conditions. */
const instantParameters: ReadonlySet<string> = new Set([
  ...instantColumns,
  ...['created_from', 'created_before', 'paid_from', 'paid_before'],
  ...['latest_plausible', 'now', 'earliest'],
]);

/** The values as MariaDB accepts them: it rejects the `Z` at the end of an instant. */
const bound = (statement: Statement | CompiledStatement, values: readonly Value[]): readonly Value[] => {
  if (!('parameters' in statement)) return values;
  return values.map((value, index) =>
    typeof value === 'string' && instantParameters.has(statement.parameters[index] ?? '')
      ? value.replace(/Z$/, '')
      : value,
  );
};
