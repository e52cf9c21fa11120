/** The rate limit of a key: how many requests in a window of how many milliseconds. */
export interface Limit {
  readonly limit: number;
  readonly windowMilliseconds: number;
}

/** A block of a key's quota: a number of requests in the window that ends at `resetAt`. */
export interface Handed {
  readonly key: string;
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly resetAt: number;
}

/** The state of a key's window, over all processes. */
export interface QuotaState {
  readonly key: string;
  /** The end of the window, in milliseconds since 1970 by the store's clock. */
  readonly resetAt: number;
  /** How much of the limit has not been granted. */
  readonly rest: number;
}

/**
 * The rest of each key's limit, for all processes that share the store. The quota granted in a window, minus the quota
 * returned, never exceeds the limit. Each call is a transaction of its own, and must name no key twice.
 */
export interface Quotas {
  /**
   * Grants the requested count, or what is left. For a key without a window, or whose window has ended by the store's
   * clock, a new window starts now.
   * @throws ApplicationError 'unavailable'
   */
  lease(
    needs: readonly { readonly key: string; readonly count: number }[],
  ): Promise<readonly (QuotaState & { readonly granted: number })[]>;
  /**
   * Reads the states of keys. A key without a window is left out.
   * @throws ApplicationError 'unavailable'
   */
  look(keys: readonly string[]): Promise<readonly QuotaState[]>;
  /**
   * Returns unused quota to the limit. Quota of a window that has ended is discarded, and its key is left out of the states.
   * @throws ApplicationError 'unavailable'
   */
  giveBack(rests: readonly Handed[]): Promise<readonly QuotaState[]>;
  /**
   * Deletes keys whose window ended an hour ago or earlier.
   * @param limit the maximum number of keys to delete
   * @returns how many were deleted
   * @throws ApplicationError 'unavailable'
   */
  forget(limit: number): Promise<number>;
}
