import { Instant } from '#domain/instant.ts';

/** By how much processes may differ about the time, and more than that, in milliseconds. */
const tolerance = 60_000;

/**
 * The last moment that somebody can have written down by now for what ends so long after it begins. What lies beyond it was
 * written by a clock that has been put back since, and would otherwise be waited for until the clock is there again.
 */
export const farthest = (now: Instant, milliseconds: number): Instant =>
  Instant.plus(now, milliseconds + tolerance);
