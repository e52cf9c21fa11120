import { Instant } from '#domain/instant.ts';

/** Counts what is done within a rolling window. @param windowMs in milliseconds */
export const rollingLimit = (max: number, windowMs: number) => {
  let used: readonly Instant[] = [];

  /** How much more may be done now. A time that is later than now was noted before the clock was set back. */
  const left = (now: Instant): number => {
    const from = Instant.plus(now, -windowMs);
    used = used.filter((at) => at > from && at <= now);
    return Math.max(0, max - used.length);
  };

  return {
    left,
    use: (now: Instant, count: number): void => {
      used = [...used, ...Array.from({ length: count }, () => now)];
    },
  };
};
