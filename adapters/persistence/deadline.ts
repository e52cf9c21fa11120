import { UnavailableError } from '#application/errors.ts';
import type { RequestContext } from '#application/ports/unit-of-work.ts';

/** Deadlines are points on the clock of `performance.now()`. */
export const noDeadline = Number.POSITIVE_INFINITY;

export const deadlineOf = (context: RequestContext | undefined): number => context?.deadline ?? noDeadline;

export const deadlineExceeded = (cause?: unknown): UnavailableError =>
  new UnavailableError('deadline-exceeded', cause);

/** @throws ApplicationError 'unavailable' when the deadline has passed, because the client no longer waits */
export const throwIfExpired = (deadline: number): void => {
  if (performance.now() >= deadline) throw deadlineExceeded();
};

/** How long the response to a commit may take, in milliseconds. */
const commitTimeMs = 250;

/**
 * The latest time to begin a commit, so that its response arrives before the deadline. After this error
 * a client can rely on nothing having been committed.
 */
export const latestCommitStart = (deadline: number): number =>
  deadline - Math.min(commitTimeMs, (deadline - performance.now()) / 4);
