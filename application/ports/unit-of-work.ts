import { DomainError } from '#domain/errors.ts';
import type { UserId } from '#domain/user.ts';
import type { ReadRepositories, Repositories, StoreRepositories } from './repositories.ts';

/** A read. Each query sees the latest commit; several queries together are not a snapshot. */
export type Reading<T> = (repositories: ReadRepositories) => Promise<T>;

/**
 * A change that commits as a whole or not at all.
 *
 * - It may run more than once, so it must have no effect besides its repositories.
 * - It must not use its repositories after its promise has settled.
 * - It must not call the unit of work that runs it.
 */
export type Work<T> = (repositories: Repositories) => Promise<T>;

/** Work over the repositories of a store, which also appends events. */
export type StoreWork<T> = (repositories: StoreRepositories) => Promise<T>;

/** For whom an operation is done, and how long they wait. An operation without a context belongs to the system. */
export interface RequestContext {
  readonly actor: UserId;
  /**
   * When the client stops waiting, in milliseconds on the clock of `performance.now()`, which cannot be set back. Without
   * it the operation may run as long as it needs.
   */
  readonly deadline?: number;
  /** The id of the request that it is done for; undefined when no request waits for it. */
  readonly requestId?: string | undefined;
  /** The idempotency key under which it is done, also when the reconciler ends what a request began. */
  readonly idempotencyKey?: string | undefined;
  /** Whether a read sees everything that was committed, as one without a context does. */
  readonly readsLatest?: boolean;
  /** Whether later reads of the actor see at least what this read, which is of the latest, could see. */
  readonly pinsReads?: boolean;
}

/** The unit of work of a store. */
export interface StoreUnitOfWork {
  /**
   * Runs work in one transaction.
   *
   * - It commits durably when `work` resolves, before the returned promise resolves. It rolls back when `work` throws.
   * - Other operations see all changes or none, and none before the commit.
   * - Units of work on the same resources are serializable, as far as each locks what it changes.
   * - Work that loses a conflict is run again from the beginning.
   * - After a repository has rejected a change, the work is rolled back, even if it catches the error.
   * - After the deadline no work starts, no work is retried, and no commit is requested. A store may stop a moment
   *   earlier, when the confirmation of the commit could come too late.
   *
   * @throws ConstraintViolation when the work makes a change that the store rejects whenever it is tried
   * @throws ApplicationError 'unavailable' when the store is unavailable, the conflict persists, or it is too late. When
   *   the confirmation of a commit is lost, the outcome is unknown; a retry with the same idempotency key finds it.
   */
  run<T>(work: StoreWork<T>, context?: RequestContext): Promise<T>;

  /**
   * Reads without a transaction.
   *
   * - Without a context the read sees everything that was committed.
   * - With a context the read may lag behind, unless it is to read the latest. The actor still reads their own writes (read-your-writes): everything
   *   committed with a context of the same actor, in any process.
   *
   * @throws ApplicationError 'unavailable' when the store is unavailable, or it is too late
   */
  read<T>(reading: Reading<T>, context?: RequestContext): Promise<T>;
}

/** The unit of work that use cases get: a store's own one behind `recordedUnitOfWork`, which appends the events of its changes. */
export interface UnitOfWork extends Pick<StoreUnitOfWork, 'read'> {
  /** As that of the store. */
  run<T>(work: Work<T>, context?: RequestContext): Promise<T>;
}

/**
 * Runs work that inserts what is missing, and retries it once after a conflict. When several processes start together, one
 * inserts, the others conflict, and their retry finds what was inserted.
 */
export const retryOnceOnConflict = async <T>(
  unitOfWork: UnitOfWork,
  work: Work<T>,
  context?: RequestContext,
): Promise<T> => {
  try {
    return await unitOfWork.run(work, context);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'conflict') return unitOfWork.run(work, context);
    throw error;
  }
};
