import type { UserId } from '#domain/user.ts';
import type { ReadRepositories, Repositories } from './repositories.ts';

/** Something to be read. Each read by itself sees what was last committed; together they are no snapshot. */
export type Reading<T> = (repositories: ReadRepositories) => Promise<T>;

/**
 * Something to be changed, all or nothing. It may be run more than once, so it has no other effect than this. It uses
 * the repositories that it is given, only until it resolves, and never the unit of work that runs it.
 */
export type Work<T> = (repositories: Repositories) => Promise<T>;

/** For whom something is done, and until when it is worth doing. What is done without one, is done for the shop itself. */
export interface Mandate {
  readonly user: UserId;
  /** On the clock of `performance.now()`, which nobody can set. */
  readonly until: number;
}

export interface UnitOfWork {
  /**
   * Commits when `work` resolves, durably, before the promise resolves; undoes everything when it throws. Others
   * see all of it or nothing, and never before the commit. Units of work that touch the same resources have the
   * effect of running one after the other, as far as each `hold`s what it goes on to change; work that lost a race
   * is run again from the beginning. Once a repository has refused something, the work is undone, even if it took no
   * notice.
   * @throws ApplicationError 'unavailable' when the store is away, or the race was lost again and again. When it went
   *   away during the commit itself, nobody knows whether that was done; an idempotency key tells at the next try.
   *   Also when the mandate has run out: then the work is not begun, nor run again, and no commit is asked for, not
   *   even a moment before, when its answer might come too late.
   */
  run<T>(work: Work<T>, mandate?: Mandate): Promise<T>;

  /**
   * Under a mandate it may be a while behind, yet never behind what a unit of work under a mandate of the same user has
   * committed, whichever process ran it. Without one it sees all that was committed.
   * @throws ApplicationError 'unavailable' when the store is away, or the mandate has run out
   */
  read<T>(reading: Reading<T>, mandate?: Mandate): Promise<T>;
}
