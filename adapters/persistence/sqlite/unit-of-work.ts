import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { deadlineOf, retryOnConflict, throwIfExpired } from '../retry.ts';
import { directReads, directSession } from '../sql/direct-session.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import type { SqlSession } from '../sql/session.ts';
import type { WriteQueue } from './write-queue.ts';

/**
 * Units of work over one file: writes go through one queue, with group commit; reads do not wait for it.
 * @param reads a session that retries, without a transaction
 */
export const sqliteUnitOfWork = (
  openRepositories: OpenRepositories,
  writes: WriteQueue,
  reads: SqlSession,
): StoreUnitOfWork => {
  /** Shared by all reads, because they have no state. */
  const readRepositories = openRepositories(directReads(reads));
  return {
    run: (work, context) => {
      const deadline = deadlineOf(context);
      const task = (session: SqlSession) => work(openRepositories(directSession(session)));
      return retryOnConflict(() => writes.run(task, { deadline }), deadline);
    },

    read: async (reading, context) => {
      throwIfExpired(deadlineOf(context));
      return reading(readRepositories);
    },
  };
};
