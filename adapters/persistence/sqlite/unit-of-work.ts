import type { Repositories } from '#application/ports/repositories.ts';
import type { Mandate, Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { deadlineOf, throwIfExpired } from '../deadline.ts';
import { retryOnConflict } from '../retry.ts';
import { readSession } from '../sql/read-session.ts';
import { compileRepositories } from '../sql/repositories.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Connection } from './connection.ts';
import { noFiles } from './files/file-identity.ts';
import { Transactions } from './group-commit/queue.ts';
import { forgetInBatches } from './purge-idempotency-keys.ts';
import { sqliteReadingSession } from './session.ts';

/** One writes at a time, so whoever writes holds everything. */
const repositoriesOver = compileRepositories({
  forUpdate: '',
  rowsFromJson: (_, columns) => {
    const values = columns.map((column) => `value ->> '${column}' as ${column}`);
    return `(select ${values.join(', ')} from json_each($1))`;
  },
  // Where a bound value is the limit as it is, SQLite plans the statement again at every execution.
  limit: (place) => `${place} + 0`,
  purgeIdempotencyKeys: forgetInBatches,
});

/** Units of work that are ready together share a transaction, and a commit. */
export class SqliteUnitOfWork implements UnitOfWork {
  readonly #transactions: Transactions;
  readonly #reading: SqlSession;
  /** They are the same for everybody who reads. */
  readonly #readers: Repositories;

  /** @param reader another connection to the same file; without one, reads wait for the units of work before them */
  constructor(writer: Connection, reader: Connection | undefined, files = noFiles) {
    this.#transactions = new Transactions(writer, files);
    this.#reading = reader ? sqliteReadingSession(reader) : readSession(this.#changing({}));
    this.#readers = repositoriesOver(this.#reading);
  }

  run<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    const until = deadlineOf(mandate);
    const task = (session: SqlSession): Promise<T> => work(repositoriesOver(session));
    return retryOnConflict(() => this.#transactions.run(task, { until }), until);
  }

  read<T>(reading: Reading<T>, mandate?: Mandate): Promise<T> {
    try {
      throwIfExpired(deadlineOf(mandate));
      return reading(this.#readers);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** How many wait for their turn to write, and how many have had one. */
  get turns(): { readonly waiting: number; readonly served: number } {
    return this.#transactions.turns;
  }

  /** Statements that each stand alone; those that change something take turns with the units of work. */
  get autocommit(): SqlSession {
    const { execute } = this.#changing({});
    return { query: (statement, values) => this.#reading.query(statement, values), execute };
  }

  /** As `apart`, for what need not survive a power loss: nobody waits for the disk. */
  get autocommitNonDurable(): SqlSession {
    return this.#changing({ isAlone: true, isDurable: false });
  }

  /** Resolves when every unit of work that was asked for before has ended. */
  end(): Promise<void> {
    return this.#transactions.end();
  }

  /** Each statement is a request of its own. */
  #changing(wishes: { readonly isAlone?: boolean; readonly isDurable?: boolean }): SqlSession {
    return {
      query: (statement, values) =>
        retryOnConflict(() => this.#transactions.run((session) => session.query(statement, values), wishes)),
      execute: (statement, values, expectedRows) =>
        retryOnConflict(() =>
          this.#transactions.run((session) => session.execute(statement, values, expectedRows), wishes),
        ),
    };
  }
}
