import {
  ConcurrencyConflict,
  ConstraintRace,
  ConstraintViolation,
  UnavailableError,
} from '#application/errors.ts';
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

/** How often work is tried where locks exclude others, so that few conflicts remain. */
export const defaultMaxAttempts = 4;

/** Backoff between attempts, in milliseconds: a random time (full jitter) up to this, times the number of attempts made. */
const defaultBackoffMs = 20;

/**
 * Runs a unit of work, and retries it on conflict with backoff and jitter, until it succeeds or its deadline has passed.
 * @param deadline on the clock of `performance.now()`
 * @param maxAttempts how often it is tried
 * @param backoffMs 0 retries at once
 * @throws ApplicationError 'unavailable' after the last attempt or the deadline
 * @throws ConstraintViolation when two attempts in a row violate the same constraint
 */
export const retryOnConflict = async <T>(
  run: () => Promise<T>,
  deadline = noDeadline,
  maxAttempts = defaultMaxAttempts,
  backoffMs = defaultBackoffMs,
): Promise<T> => {
  let last: unknown;
  for (let attempt = 1; ; attempt += 1) {
    throwIfExpired(deadline);
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict)) throw error;
      if (isLasting(last, error)) throw new ConstraintViolation(error.constraint, error);
      if (attempt === maxAttempts) throw new UnavailableError('conflict', error);
      last = error;
    }
    if (backoffMs > 0) await sleep(Math.random() * backoffMs * attempt);
  }
};

const isLasting = (first: unknown, next: unknown): next is ConstraintRace =>
  first instanceof ConstraintRace && next instanceof ConstraintRace && next.constraint === first.constraint;

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
