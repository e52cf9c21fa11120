import { ApplicationError } from '#application/errors.ts';
import type { Mandate } from '#application/ports/unit-of-work.ts';

export const noDeadline = Number.POSITIVE_INFINITY;

/** When a mandate runs out; never without one. */
export const deadlineOf = (mandate: Mandate | undefined): number => mandate?.until ?? noDeadline;

/** @throws ApplicationError 'unavailable' when the time is up, for nobody waits any more */
export const throwIfExpired = (until: number): void => {
  if (performance.now() >= until) throw new ApplicationError('unavailable', 'It took too long.');
};

/** How long an answer to a commit may well take, in milliseconds. */
const commitTime = 250;

/**
 * Until when a commit may be begun, so that its answer still comes in time: whoever hears that it took too long can count
 * on nothing having been kept. Of a short time it takes a quarter.
 */
export const latestCommitStart = (until: number): number =>
  until - Math.min(commitTime, (until - performance.now()) / 4);
