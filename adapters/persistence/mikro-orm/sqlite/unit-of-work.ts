import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { Repositories } from '#application/ports/repositories.ts';
import type { Mandate, Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { untilWon } from '../../race-lost.ts';
import { endOf, forEver, requireTime } from '../../time.ts';
import { conduct } from '../conduct.ts';
import { ping, readingSession } from '../reading.ts';
import { unavailable } from '../refusals.ts';
import { repositoriesIn } from '../repositories.ts';
import type { Session } from '../session.ts';
import { type Turns, turns } from '../turns.ts';
import { explain, isBusy } from './errors.ts';
import { forgetInBatches } from './forget-keys.ts';
import { noFiles, type SameFiles } from './same-files.ts';
import { sqliteReadingSession, sqliteSession } from './session.ts';

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

/** How long a unit of work waits for its turn among other processes, in milliseconds, from when it was asked for. */
const patience = 3_000;

export class SqliteUnitOfWork implements UnitOfWork {
  readonly #database: Database;
  readonly #session: Session;
  readonly #reading: Session;
  /** They are the same for everybody who reads. */
  readonly #readers: Repositories;
  readonly #files: SameFiles;
  readonly #inTurn: Turns = turns();
  #asked = 0;
  #served = 0;

  /** @param reader another connection to the same file; without one, reads wait for the units of work before them */
  constructor(writer: Database, reader: Database | undefined, files = noFiles) {
    this.#database = writer;
    this.#files = files;
    this.#session = sqliteSession(writer);
    this.#reading = reader ? sqliteReadingSession(reader) : readingSession(this.#sharing());
    this.#readers = repositoriesOver(this.#reading);
  }

  run<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    return this.#transact(() => conduct(this.#session, repositoriesOver, work), endOf(mandate));
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
    return { waiting: this.#asked - this.#served, served: this.#served };
  }

  /** @throws ApplicationError 'unavailable' */
  async ping(): Promise<void> {
    this.#files.look();
    await this.#reading.query(ping, []);
  }

  /** Statements that are a transaction each; those that change something take turns with the units of work. */
  get apart(): Session {
    return {
      query: (statement, values) => this.#reading.query(statement, values),
      execute: (statement, values) => this.#transact(() => this.#session.execute(statement, values), forEver),
    };
  }

  /** As `apart`, for what need not survive a power loss: nobody waits for the disk. */
  get inPassing(): Session {
    const change = <T>(act: () => Promise<T>): Promise<T> => {
      const deadline = performance.now() + patience;
      return untilWon(() =>
        this.#counted(() => this.#unsynchronised(() => this.#attempt(act, deadline, forEver))),
      );
    };
    return {
      query: (statement, values) => change(() => this.#session.query(statement, values)),
      execute: (statement, values) => change(() => this.#session.execute(statement, values)),
    };
  }

  /** Resolves when every unit of work that was asked for before has ended. */
  end(): Promise<void> {
    return this.#inTurn(async () => undefined);
  }

  #transact<T>(act: () => Promise<T>, until: number): Promise<T> {
    const deadline = Math.min(until, performance.now() + patience);
    const attempt = async () => {
      const result = await this.#attempt(act, deadline, until);
      // What went into a file that nobody will find again is not to be acknowledged.
      this.#files.look();
      return result;
    };
    return untilWon(() => this.#counted(attempt), until);
  }

  /** Everybody who takes a turn is counted when they ask for it, and when they have had it. */
  #counted<T>(act: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    return this.#inTurn(async () => {
      try {
        return await act();
      } finally {
        this.#served += 1;
      }
    });
  }

  /** It has to be said outside of a transaction. */
  async #unsynchronised<T>(act: () => Promise<T>): Promise<T> {
    this.#pragma('synchronous = normal');
    try {
      return await act();
    } finally {
      this.#pragma('synchronous = full');
    }
  }

  #pragma(setting: string): void {
    try {
      this.#database.pragma(setting);
    } catch (error) {
      throw explain(error);
    }
  }

  async #attempt<T>(act: () => Promise<T>, deadline: number, until: number): Promise<T> {
    try {
      // It may have waited for long behind others.
      requireTime(until);
      this.#files.require();
      await this.#begin(deadline);
      const result = await act();
      requireTime(until);
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
