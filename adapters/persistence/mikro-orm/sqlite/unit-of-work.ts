import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { untilWon } from '../../race-lost.ts';
import { conduct } from '../conduct.ts';
import { ping, readingSession } from '../reading.ts';
import { unavailable } from '../refusals.ts';
import { repositoriesIn } from '../repositories.ts';
import type { Session } from '../session.ts';
import { type Turns, turns } from '../turns.ts';
import { explain, isBusy } from './errors.ts';
import { sqliteSession } from './session.ts';

/** One writes at a time, so whoever writes holds everything. */
const repositoriesOver = repositoriesIn({
  hold: '',
  holdFree: '',
  given: (_, columns) => {
    const values = columns.map((column) => `value ->> '${column}' as ${column}`);
    return `(select ${values.join(', ')} from json_each($1))`;
  },
});

/** How long a unit of work waits for its turn among other processes, in milliseconds, from when it was asked for. */
const patience = 3_000;

export class SqliteUnitOfWork implements UnitOfWork {
  readonly #database: Database;
  readonly #session: Session;
  readonly #reading: Session;
  readonly #inTurn: Turns = turns();

  /** @param reader another connection to the same file; without one, reads wait for the units of work before them */
  constructor(writer: Database, reader: Database | undefined) {
    this.#database = writer;
    this.#session = sqliteSession(writer);
    this.#reading = readingSession(reader ? sqliteSession(reader) : this.#sharing());
  }

  run<T>(work: Work<T>): Promise<T> {
    return this.#transact(() => conduct(this.#session, repositoriesOver, work));
  }

  read<T>(reading: Reading<T>): Promise<T> {
    return reading(repositoriesOver(this.#reading));
  }

  /** @throws ApplicationError 'unavailable' */
  async ping(): Promise<void> {
    await this.#reading.query(ping, []);
  }

  /** Statements that are a transaction each; those that change something take turns with the units of work. */
  get apart(): Session {
    return {
      query: (statement, values) => this.#reading.query(statement, values),
      execute: (statement, values) => this.#transact(() => this.#session.execute(statement, values)),
    };
  }

  /** Resolves when every unit of work that was asked for before has ended. */
  end(): Promise<void> {
    return this.#inTurn(async () => undefined);
  }

  #transact<T>(act: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + patience;
    return untilWon(() => this.#inTurn(() => this.#attempt(act, deadline)));
  }

  async #attempt<T>(act: () => Promise<T>, deadline: number): Promise<T> {
    try {
      await this.#begin(deadline);
      const result = await act();
      this.#commit();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Waits for other processes outside the driver, so that everything else goes on meanwhile. */
  async #begin(deadline: number): Promise<void> {
    for (;;) {
      try {
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error)) throw explain(error);
        if (performance.now() > deadline) throw unavailable(error);
      }
      await pause(1 + Math.random() * 5);
    }
  }

  #commit(): void {
    try {
      this.#database.exec('commit');
    } catch (error) {
      throw explain(error);
    }
  }

  /** SQLite may have done it already, as it does when the disk is full. */
  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('rollback');
    } catch {
      // Why the work failed says more than why it could not be undone; the next `begin` fails in its turn.
    }
  }

  /** The writer's connection, between two units of work. */
  #sharing(): Session {
    return {
      query: (statement, values) => this.#inTurn(() => this.#session.query(statement, values)),
      execute: (statement, values) => this.#inTurn(() => this.#session.execute(statement, values)),
    };
  }
}
