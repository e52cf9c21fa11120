/** How many requests a key may send in a window of how many milliseconds. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMilliseconds: number;
}

/** The window of a key, over all processes. */
export interface WindowState {
  readonly key: string;
  /** The end of the window, in milliseconds since 1970 by the store's clock. */
  readonly resetAt: number;
  /** How many requests of the limit no process has leased. */
  readonly unleased: number;
}

/** A block of a key's quota: a number of requests in the window that ends at `resetAt`. */
export interface Block {
  readonly key: string;
  readonly count: number;
  readonly resetAt: number;
}

/**
 * Leases the quota of each key to all processes that share the store. The requests leased in a window, minus those returned,
 * never exceed the limit. Stores with other limits share the windows: each grants as far as its own limit goes. Each call is a transaction of its own, and must name no key twice.
 */
export interface QuotaStore {
  /**
   * Grants the requested count, or what remains. For a key without a window, or whose window has ended by the store's
   * clock, a new window starts now.
   * @throws ApplicationError 'unavailable'
   */
  lease(
    requests: readonly { readonly key: string; readonly count: number }[],
  ): Promise<readonly (WindowState & { readonly granted: number })[]>;
  /**
   * Returns what was not used of blocks. What belongs to a window that has ended is discarded.
   * @returns the windows that got something back
   * @throws ApplicationError 'unavailable'
   */
  returnBlocks(blocks: readonly Block[]): Promise<readonly WindowState[]>;
  /**
   * Reads the windows of keys. A key without a window is omitted.
   * @throws ApplicationError 'unavailable'
   */
  read(keys: readonly string[]): Promise<readonly WindowState[]>;
  /**
   * Deletes windows that ended an hour ago or earlier.
   * @param limit the maximum number of windows to delete
   * @returns how many were deleted
   * @throws ApplicationError 'unavailable'
   */
  purge(limit: number): Promise<number>;
}
