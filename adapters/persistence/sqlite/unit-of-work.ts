import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { Reading, RequestContext, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { deadlineOf, retryOnConflict, throwIfExpired } from '../retry.ts';
import { directReads, directSession } from '../sql/direct-session.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import type { SqlSession } from '../sql/session.ts';
import type { WriteQueue } from './write-queue.ts';

/** Units of work over one file: writes go through one queue, with group commit; reads do not wait for it. */
export class SqliteUnitOfWork implements UnitOfWork {
  readonly #openRepositories: OpenRepositories;
  readonly #writes: WriteQueue;
  /** Shared by all reads, because they have no state. */
  readonly #readRepositories: ReadRepositories;

  /** @param reads a session that retries, without a transaction */
  constructor(openRepositories: OpenRepositories, writes: WriteQueue, reads: SqlSession) {
    this.#openRepositories = openRepositories;
    this.#writes = writes;
    this.#readRepositories = openRepositories(directReads(reads));
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
}
