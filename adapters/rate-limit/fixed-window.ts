import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';

interface Options {
  /** Maximum number of requests in a window, of a key without a limit of its own. */
  readonly limit: number;
  readonly windowMilliseconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Window {
  readonly resetAt: number;
  /** How many requests were allowed. */
  count: number;
}

/** A fixed-window rate limiter for a single process. */
export const fixedWindowLimiter = ({ limit, windowMilliseconds, now }: Options): RateLimiter => {
  const windows = new Map<ApiKeyId, Window>();
  let sweepAt = now() + windowMilliseconds;

  /** Removes ended windows, at most once per window length, so that unused keys use no memory. */
  const sweep = (time: number): void => {
    if (time < sweepAt) return;
    for (const [key, { resetAt }] of windows) if (resetAt <= time) windows.delete(key);
    sweepAt = time + windowMilliseconds;
  };

  const windowOf = (key: ApiKeyId, time: number): Window => {
    const open = windows.get(key);
    if (open !== undefined && open.resetAt > time) return open;
    const fresh = { resetAt: time + windowMilliseconds, count: 0 };
    windows.set(key, fresh);
    return fresh;
  };

  return {
    consume: async (key, limitOfKey = limit) => {
      const time = now();
      sweep(time);
      const window = windowOf(key, time);
      const allowed = window.count < limitOfKey;
      if (allowed) window.count += 1;
      const { resetAt, count } = window;
      const remaining = Math.max(0, limitOfKey - count);
      return { allowed, limit: limitOfKey, remaining, resetAt, wait: resetAt - time };
    },
  };
};
