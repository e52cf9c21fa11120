import type { ApiKeyId } from '#domain/api-key.ts';

/** The state of a key's window after a request was counted. */
export interface Allowance {
  readonly allowed: boolean;
  /** Maximum number of requests in a window. */
  readonly limit: number;
  /** Requests left in this window, as far as this process knows; never below 0. */
  readonly remaining: number;
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt: number;
  /** Time until the window ends, in milliseconds: at most the length of a window, even after the clock was set back. */
  readonly wait: number;
}

export interface RateLimiter {
  /**
   * Counts one request of a key, including rejected ones.
   *
   * - The first request of a key opens a window of fixed length.
   * - Within a window at most `limit` requests are allowed, over all processes together.
   * - A limit that comes with a request holds for its key from then on, also in an open window: what was allowed before counts, what
   *   was rejected does not.
   *
   * @param limit the limit of this key; without it, the one that all keys have
   * @throws ApplicationError 'unavailable' when the count cannot be determined now
   */
  consume(key: ApiKeyId, limit?: number): Promise<Allowance>;
}
