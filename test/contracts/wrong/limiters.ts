import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { LimitOptions, OpenLimiter } from '../rate-limiter.ts';
import { simulatedClock } from '../simulated-clock.ts';

/** A wrong limiter, with how many of them count together and the promises by whose names it must fail. */
type WrongLimiter = readonly [
  fault: string,
  open: () => Promise<OpenLimiter>,
  count: number,
  ...promises: [string, ...string[]],
];

const { now, pass } = simulatedClock();

const right = (limiting: LimitOptions): RateLimiter => fixedWindowLimiter({ ...limiting, now });

const wrongly =
  (make: (limiting: LimitOptions) => RateLimiter['consume']) => async (): Promise<OpenLimiter> => ({
    limiter: (limiting) => ({ consume: make(limiting) }),
    pass,
    close: async () => undefined,
  });

/** A limiter whose results are others. */
const reporting = (change: (allowance: Allowance, limiting: LimitOptions) => Allowance) =>
  wrongly((limiting) => {
    const limiter = right(limiting);
    return async (key) => change(await limiter.consume(key), limiting);
  });

const exactly = 'allows exactly the limit, and counts it down without a gap';

export const wrongLimiters: readonly WrongLimiter[] = [
  [
    'allow one too many',
    wrongly((limiting) => {
      const limiter = right({ ...limiting, limit: limiting.limit + 1 });
      return (key) => limiter.consume(key);
    }),
    1,
    exactly,
  ],
  ['allow all', reporting((allowance) => ({ ...allowance, allowed: true })), 1, exactly],
  [
    'count in pairs',
    reporting((allowance) => ({ ...allowance, remaining: allowance.remaining & ~1 })),
    1,
    exactly,
    'allows exactly the limit of many concurrent requests, each with another remaining number',
  ],
  [
    'read the count, and write it a moment later',
    wrongly(({ limit, windowMilliseconds }) => {
      const counts = new Map<string, number>();
      const resetAt = now() + windowMilliseconds;
      return async (key) => {
        const count = counts.get(key) ?? 0;
        await new Promise(setImmediate);
        counts.set(key, count + 1);
        const rest = { limit, remaining: Math.max(0, limit - count - 1), resetAt, wait: windowMilliseconds };
        return { allowed: count < limit, ...rest };
      };
    }),
    1,
    'allows exactly the limit of many concurrent requests, each with another remaining number',
  ],
  [
    'count each process by itself',
    wrongly((limiting) => {
      const limiter = right(limiting);
      return (key) => limiter.consume(key);
    }),
    2,
    'allows the whole limit to a client that alternates between processes, and no more',
  ],
  [
    'split the limit between processes',
    wrongly((limiting) => {
      const limiter = right({ ...limiting, limit: Math.max(1, limiting.limit / 2) });
      return (key) => limiter.consume(key);
    }),
    2,
    'allows the whole limit to one process after another has returned its unused lease',
  ],
  [
    'have one window for all keys',
    wrongly((limiting) => {
      const limiter = right(limiting);
      return () => limiter.consume('one' as never);
    }),
    1,
    'counts each key separately',
  ],
  [
    'let each request move the end of the window',
    wrongly((limiting) => {
      const limiter = right(limiting);
      let moved = 0;
      return async (key) => {
        const allowance = await limiter.consume(key);
        moved += 1;
        return { ...allowance, resetAt: allowance.resetAt + moved };
      };
    }),
    1,
    'has one window end for all its requests',
  ],
  [
    'ignore the limit of a key',
    wrongly((limiting) => {
      const limiter = right(limiting);
      return (key) => limiter.consume(key);
    }),
    1,
    'gives a key the limit that comes with its requests',
    'applies another limit in an open window, in which what was allowed before counts',
  ],
  [
    'begin a count anew when the limit of a key changes',
    wrongly((limiting) => {
      const limiters = new Map<number, RateLimiter>();
      return (key, limit = limiting.limit) => {
        const limiter = limiters.get(limit) ?? right({ ...limiting, limit });
        limiters.set(limit, limiter);
        return limiter.consume(key);
      };
    }),
    1,
    'applies another limit in an open window, in which what was allowed before counts',
    'never allows more than a limit that changes, over all processes',
  ],
  [
    'tell when instead of how long to wait',
    reporting((allowance) => ({ ...allowance, wait: allowance.resetAt })),
    1,
    'tells no client to wait longer than a window, although its clock is late',
  ],
  [
    'have windows that are twice as long',
    wrongly((limiting) => {
      const limiter = right({ ...limiting, windowMilliseconds: 2 * limiting.windowMilliseconds });
      return (key) => limiter.consume(key);
    }),
    1,
    'opens a whole window after the previous one has ended',
    'tells no client to wait longer than a window, although its clock is late',
  ],
  [
    'never open a second window',
    wrongly((limiting) => {
      const limiter = right({ ...limiting, windowMilliseconds: 3_600_000 });
      return (key) => limiter.consume(key);
    }),
    1,
    'opens a whole window after the previous one has ended',
  ],
];
