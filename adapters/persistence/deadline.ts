import { ApplicationError } from '#application/errors.ts';
import type { Mandate } from '#application/ports/unit-of-work.ts';

export const forEver = Number.POSITIVE_INFINITY;

/** When a mandate runs out; never without one. */
export const endOf = (mandate: Mandate | undefined): number => mandate?.until ?? forEver;

/** @throws ApplicationError 'unavailable' when the time is up, for nobody waits any more */
export const requireTime = (until: number): void => {
  if (performance.now() >= until) throw new ApplicationError('unavailable', 'It took too long.');
};

/** How long an answer to a commit may well take, in milliseconds. */
const commitTime = 250;

/**
 * Until when a commit may be begun, so that its answer still comes in time: whoever hears that it took too long can count
 * on nothing having been kept. Of a short time it takes a quarter.
 */
export const lastCommit = (until: number): number =>
  until - Math.min(commitTime, (until - performance.now()) / 4);
