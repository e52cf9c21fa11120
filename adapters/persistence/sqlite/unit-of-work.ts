import type { Repositories } from '#application/ports/repositories.ts';
import type { Mandate, Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { endOf, requireTime } from '../deadline.ts';
import { untilWon } from '../retry.ts';
import { readingSession } from '../sql/read-session.ts';
import { repositoriesIn } from '../sql/repositories.ts';
import type { Session } from '../sql/session.ts';
import type { Connection } from './connection.ts';
import { noFiles } from './files/file-identity.ts';
import { Transactions } from './group-commit/queue.ts';
import { forgetInBatches } from './purge-idempotency-keys.ts';
import { sqliteReadingSession } from './session.ts';

/** One writes at a time, so whoever writes holds everything. */
const repositoriesOver = repositoriesIn({
  hold: '',
  given: (_, columns) => {
    const values = columns.map((column) => `value ->> '${column}' as ${column}`);
    return `(select ${values.join(', ')} from json_each($1))`;
  },
  // Where a bound value is the limit as it is, SQLite plans the statement again at every execution.
  most: (place) => `${place} + 0`,
  forgetKeys: forgetInBatches,
});

/** Units of work that are ready together share a transaction, and a commit. */
export class SqliteUnitOfWork implements UnitOfWork {
  readonly #transactions: Transactions;
  readonly #reading: Session;
  /** They are the same for everybody who reads. */
  readonly #readers: Repositories;

  /** @param reader another connection to the same file; without one, reads wait for the units of work before them */
  constructor(writer: Connection, reader: Connection | undefined, files = noFiles) {
    this.#transactions = new Transactions(writer, files);
    this.#reading = reader ? sqliteReadingSession(reader) : readingSession(this.#changing({}));
    this.#readers = repositoriesOver(this.#reading);
  }

  run<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    const until = endOf(mandate);
    const task = (session: Session): Promise<T> => work(repositoriesOver(session));
    return untilWon(() => this.#transactions.run(task, { until }), until);
  }

  read<T>(reading: Reading<T>, mandate?: Mandate): Promise<T> {
    try {
      requireTime(endOf(mandate));
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
  get apart(): Session {
    const { execute } = this.#changing({});
    return { query: (statement, values) => this.#reading.query(statement, values), execute };
  }

  /** As `apart`, for what need not survive a power loss: nobody waits for the disk. */
  get inPassing(): Session {
    return this.#changing({ isAlone: true, isDurable: false });
  }

  /** Resolves when every unit of work that was asked for before has ended. */
  end(): Promise<void> {
    return this.#transactions.end();
  }

  /** Each statement is a request of its own. */
  #changing(wishes: { readonly isAlone?: boolean; readonly isDurable?: boolean }): Session {
    return {
      query: (statement, values) =>
        untilWon(() => this.#transactions.run((session) => session.query(statement, values), wishes)),
      execute: (statement, values, mustChange) =>
        untilWon(() =>
          this.#transactions.run((session) => session.execute(statement, values, mustChange), wishes),
        ),
    };
  }
}
