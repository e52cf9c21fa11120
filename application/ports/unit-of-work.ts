import type { ReadRepositories, Repositories } from './repositories.ts';

/** Something to be read. Each read by itself sees what was last committed; together they are no snapshot. */
export type Reading<T> = (repositories: ReadRepositories) => Promise<T>;

/**
 * Something to be changed, all or nothing. It may be run more than once, so it has no other effect than this. It uses
 * the repositories that it is given, only until it resolves, and never the unit of work that runs it.
 */
export type Work<T> = (repositories: Repositories) => Promise<T>;

export interface UnitOfWork {
  /**
   * Commits when `work` resolves, durably, before the promise resolves; undoes everything when it throws. Others
   * see all of it or nothing, and never before the commit. Units of work that touch the same resources have the
   * effect of running one after the other, as far as each `hold`s what it goes on to change; work that lost a race
   * is run again from the beginning. Once a repository has refused something, the work is undone, even if it took no
   * notice.
   * @throws ApplicationError 'unavailable' when the store is away, or the race was lost again and again. When it went
   *   away during the commit itself, nobody knows whether that was done; an idempotency key tells at the next try.
   */
  run<T>(work: Work<T>): Promise<T>;

  /** @throws ApplicationError 'unavailable' when the store is away */
  read<T>(reading: Reading<T>): Promise<T>;
}
