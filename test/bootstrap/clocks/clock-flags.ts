/** Flags of Node that set the clock of a process ahead. */
export const clockAheadBy = (milliseconds: number): readonly string[] => [
  '--import',
  new URL(`../support/shifted-clock.ts?milliseconds=${milliseconds}`, import.meta.url).href,
];

/** By 25 hours. */
export const clockAhead = clockAheadBy(25 * 3_600_000);
