import type { Reading, RequestContext, StoreUnitOfWork, StoreWork } from '#application/ports/unit-of-work.ts';
import { deadlineOf, latestCommitStart, retryOnConflict, throwIfExpired } from '../retry.ts';
import { directReads, directSession } from '../sql/direct-session.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import type { MariaDbPool } from './pool.ts';
import { MariaDbUnitSession, mariadbSession } from './session.ts';

/**
 * How often work is tried. In a Galera cluster a lock excludes only the transactions of its own node, so work on one row loses
 * to other nodes several times in a row.
 */
export const maxAttempts = 12;

/** A unit of work is one transaction on one connection, at read committed with row locks. */
export class MariaDbUnitOfWork implements StoreUnitOfWork {
  readonly #pool: MariaDbPool;
  readonly #openRepositories: OpenRepositories;

  constructor(pool: MariaDbPool, openRepositories: OpenRepositories) {
    this.#pool = pool;
    this.#openRepositories = openRepositories;
  }

  run<T>(work: StoreWork<T>, context?: RequestContext): Promise<T> {
    const deadline = deadlineOf(context);
    return retryOnConflict(() => this.#attempt(work, deadline), deadline, maxAttempts);
  }

  async read<T>(reading: Reading<T>, context?: RequestContext): Promise<T> {
    const deadline = deadlineOf(context);
    throwIfExpired(deadline);
    return reading(this.#openRepositories(directReads(mariadbSession(this.#pool, deadline))));
  }

  async #attempt<T>(work: StoreWork<T>, deadline: number): Promise<T> {
    const commitBy = latestCommitStart(deadline);
    const session = new MariaDbUnitSession(this.#pool, deadline);
    try {
      const result = await work(this.#openRepositories(directSession(session)));
      await session.end();
      throwIfExpired(commitBy);
      await session.commit();
      return result;
    } catch (error) {
      await session.rollback();
      throw error;
    }
  }
}
