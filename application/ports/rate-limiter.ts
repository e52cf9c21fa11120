import type { ApiKeyId } from '#domain/api-key.ts';

/** Where a key stands in its window after a request was counted. */
export interface Allowance {
  readonly allowed: boolean;
  /** Requests in a window. */
  readonly limit: number;
  /** Requests left in this window as far as is known here, never below 0. */
  readonly remaining: number;
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt: number;
  /** How long that is from now on, in milliseconds: never longer than a window, however late the clock is. */
  readonly wait: number;
}

export interface RateLimiter {
  /**
   * Counts one request of a key, denied ones included. The first request of a key opens a window of fixed length;
   * within it no more than `limit` are allowed, however many processes count.
   * @returns at once where it is known at once
   * @throws ApplicationError 'unavailable' when that cannot be found out now
   */
  take(key: ApiKeyId): Allowance | Promise<Allowance>;
}
