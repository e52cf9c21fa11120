import { ApplicationError } from '#application/errors.ts';
import { noDeadline, throwIfExpired } from './deadline.ts';

/** Somebody else was faster; run from the beginning, the work sees what they did. It never leaves the adapters. */
export class ConcurrencyConflict extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConcurrencyConflict';
  }
}

const tries = 4;
const longestPause = 20;

/**
 * Runs a unit of work until it has lost no race, four times at the most, and never once its time is up.
 * @throws ApplicationError 'unavailable' when it lost them all
 */
export const retryOnConflict = async <T>(run: () => Promise<T>, until = noDeadline): Promise<T> => {
  throwIfExpired(until);
  try {
    return await run();
  } catch (error) {
    return retryAfterConflict(run, error, until);
  }
};

/**
 * As `retryOnConflict`, for what has been run once.
 * @param refusal what that came to
 */
export const retryAfterConflict = async <T>(
  run: () => Promise<T>,
  refusal: unknown,
  until = noDeadline,
): Promise<T> => {
  let error = refusal;
  for (let attempt = 1; ; attempt += 1) {
    if (!(error instanceof ConcurrencyConflict)) throw error;
    if (attempt === tries) throw new ApplicationError('unavailable', 'Too many changes at once.', error);
    await pause(Math.random() * longestPause * attempt);
    throwIfExpired(until);
    try {
      return await run();
    } catch (again) {
      error = again;
    }
  }
};

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
