/** Flags of Node that set the clock of a process ahead. */
export const clockAheadBy = (milliseconds: number): readonly string[] => {
  const preload = new URL('../support/shifted-clock.ts', import.meta.url);
  preload.searchParams.set('milliseconds', `${milliseconds}`);
  return ['--import', preload.href];
};

/** How far a time may be off, in milliseconds: more than a test lasts, and much less than the clocks are apart. */
export const clockToleranceMs = 600_000;

/** By 25 hours. */
export const clockAhead = clockAheadBy(25 * 3_600_000);
