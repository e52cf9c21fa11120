/** Flags of Node that set the clock of a process 25 hours ahead. */
export const clockAhead: readonly string[] = [
  '--import',
  new URL('../support/shifted-clock.ts', import.meta.url).href,
];
