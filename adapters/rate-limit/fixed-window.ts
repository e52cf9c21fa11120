import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';

interface Settings {
  /** Requests in a window. */
  readonly limit: number;
  readonly windowMilliseconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Window {
  readonly resetAt: number;
  count: number;
}

/** Counts in this process alone. */
export const fixedWindowLimiter = ({ limit, windowMilliseconds, now }: Settings): RateLimiter => {
  const windows = new Map<ApiKeyId, Window>();
  let cleanAt = now() + windowMilliseconds;

  /** Once a window's length, so that keys which are used no more take no room. */
  const clean = (time: number): void => {
    if (time < cleanAt) return;
    for (const [key, { resetAt }] of windows) if (resetAt <= time) windows.delete(key);
    cleanAt = time + windowMilliseconds;
  };

  const windowOf = (key: ApiKeyId, time: number): Window => {
    const open = windows.get(key);
    if (open !== undefined && open.resetAt > time) return open;
    const fresh = { resetAt: time + windowMilliseconds, count: 0 };
    windows.set(key, fresh);
    return fresh;
  };

  return {
    take: (key) => {
      const time = now();
      clean(time);
      const window = windowOf(key, time);
      window.count += 1;
      const { resetAt, count } = window;
      const remaining = Math.max(0, limit - count);
      return { allowed: count <= limit, limit, remaining, resetAt, wait: resetAt - time };
    },
  };
};
