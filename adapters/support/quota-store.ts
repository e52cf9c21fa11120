/** How many requests of a key are allowed in a window, and how long that is. */
export interface Limit {
  readonly limit: number;
  readonly windowMilliseconds: number;
}

/** Some of a key's quota, for so many requests, in the window that ends then. */
export interface Handed {
  readonly key: string;
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly resetAt: number;
}

/** Where a key stands for all processes together. */
export interface QuotaState {
  readonly key: string;
  /** When its window ends, in milliseconds since 1970 by the store's own time. */
  readonly resetAt: number;
  /** How much of the limit nobody has been handed yet. */
  readonly rest: number;
}

/**
 * What is left of each key's limit, for every process that shares the store. Of all that it hands out in a window, less
 * what was given back, there is never more than the limit. Each call is a transaction of its own, and names no key twice.
 */
export interface Quotas {
  /**
   * Hands out what is asked for, or what is left. A key without a window, or whose window is over by the store's own
   * time, gets one, which begins now.
   * @throws ApplicationError 'unavailable'
   */
  lease(
    needs: readonly { readonly key: string; readonly count: number }[],
  ): Promise<readonly (QuotaState & { readonly granted: number })[]>;
  /**
   * Tells where keys stand, and changes nothing. A key without a window is not among the states.
   * @throws ApplicationError 'unavailable'
   */
  look(keys: readonly string[]): Promise<readonly QuotaState[]>;
  /**
   * Takes back what will not be used. What is of a window that is there no more is gone with it, and its key is not among
   * the states.
   * @throws ApplicationError 'unavailable'
   */
  giveBack(rests: readonly Handed[]): Promise<readonly QuotaState[]>;
  /**
   * Forgets keys whose window has been over for an hour or longer.
   * @param most how many
   * @returns how many it has forgotten
   * @throws ApplicationError 'unavailable'
   */
  forget(most: number): Promise<number>;
}
