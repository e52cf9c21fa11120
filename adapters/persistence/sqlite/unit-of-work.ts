import type { Repositories } from '#application/ports/repositories.ts';
import type { Reading, RequestContext, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { deadlineOf, retryOnConflict, throwIfExpired } from '../retry.ts';
import { directReads, directSession, readOnly } from '../sql/direct-session.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import { retried, type SqlSession } from '../sql/session.ts';
import { type SqliteConnection, sqliteSession } from './connection.ts';
import { noFiles } from './files/file-identity.ts';
import { type WriteOptions, WriteQueue } from './write-queue.ts';

/** Units of work over one file: writes go through one queue, with group commit; reads have a connection of their own. */
export class SqliteUnitOfWork implements UnitOfWork {
  readonly #writes: WriteQueue;
  readonly #openRepositories: OpenRepositories;
  readonly #query: SqlSession['query'];
  /** Shared by all reads, because they have no state. */
  readonly #readRepositories: Repositories;

  /**
   * @param reader another connection to the same file; without one, reads wait in the write queue
   * @param files checked before each transaction begins and after each commit
   * @param lockTimeoutMs how long a write waits for other processes to release the write lock
   */
  constructor(
    openRepositories: OpenRepositories,
    writer: SqliteConnection,
    reader: SqliteConnection | undefined,
    files = noFiles,
    lockTimeoutMs?: number,
  ) {
    this.#writes = new WriteQueue(writer, files, lockTimeoutMs);
    this.#openRepositories = openRepositories;
    this.#query = (reader ? retried(sqliteSession(reader)) : this.#autocommit({})).query;
    this.#readRepositories = openRepositories(readOnly(directReads({ query: this.#query })));
  }

  run<T>(work: Work<T>, context?: RequestContext): Promise<T> {
    const deadline = deadlineOf(context);
    const task = (session: SqlSession): Promise<T> => work(this.#openRepositories(directSession(session)));
    return retryOnConflict(() => this.#writes.run(task, { deadline }), deadline);
  }

  async read<T>(reading: Reading<T>, context?: RequestContext): Promise<T> {
    throwIfExpired(deadlineOf(context));
    return reading(this.#readRepositories);
  }

  /** How many units of work wait or execute, and how many have been settled since the start. */
  get queueStats(): { readonly waiting: number; readonly served: number } {
    return this.#writes.stats;
  }

  /** A session in which each statement commits by itself. Those that change rows share commits with the units of work. */
  get autocommit(): SqlSession {
    const { execute } = this.#autocommit({});
    return { query: this.#query, execute };
  }

  /** Like `autocommit`, but does not wait for the disk: a power loss may undo what it has changed. */
  get autocommitNonDurable(): SqlSession {
    return this.#autocommit({ isDurable: false });
  }

  /** Resolves when every unit of work that has begun so far has ended. */
  drain(): Promise<void> {
    return this.#writes.drain();
  }

  #autocommit(options: WriteOptions): SqlSession {
    return retried({
      query: (statement, values) => this.#writes.run((session) => session.query(statement, values), options),
      execute: (statement, values, expectedRows) =>
        this.#writes.run((session) => session.execute(statement, values, expectedRows), options),
    });
  }
}
