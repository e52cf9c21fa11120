interface Entry<T> {
  /** By `performance.now()`. */
  readonly expiresAt: number;
  readonly value: T;
}

/** Misses get a tenth of the room: a client without a credential can cause as many of them as it likes. */
const hitsPerMiss = 10;

/**
 * Caches what a loader found, for a limited time and with a limited size. Concurrent requests for a key share one load, and a
 * load that rejects is not cached. Misses are cached apart (negative caching), so that they cannot evict what was found.
 */
export class TtlCache<T> {
  readonly #loading = new Map<string, Entry<Promise<T | undefined>>>();
  readonly #hits = new Map<string, Entry<T>>();
  readonly #misses = new Map<string, Entry<undefined>>();
  readonly #ttl: number;
  readonly #maxEntries: number;

  /** @param ttl in milliseconds from the begin of the load, so that a value is never older than that */
  constructor(ttl: number, maxEntries: number) {
    this.#ttl = ttl;
    this.#maxEntries = maxEntries;
  }

  /**
   * Returns the cached value, or loads it.
   * @param load resolves to undefined for a miss; returns undefined when there is nothing to load or to cache
   * @param fresh whether it is loaded in any case
   */
  get(
    key: string,
    load: () => Promise<T | undefined> | undefined,
    fresh = false,
  ): T | Promise<T | undefined> | undefined {
    const now = performance.now();
    const cached = fresh ? undefined : this.#find(key, now);
    if (cached !== undefined) return cached.value;
    const value = load();
    if (value !== undefined) this.#store(key, { expiresAt: now + this.#ttl, value });
    return value;
  }

  #find(key: string, now: number): Entry<T | Promise<T | undefined> | undefined> | undefined {
    const hit = this.#hits.get(key);
    if (hit !== undefined && hit.expiresAt > now) return hit;
    const other = this.#loading.get(key) ?? this.#misses.get(key);
    return other !== undefined && other.expiresAt > now ? other : undefined;
  }

  #store(key: string, loading: Entry<Promise<T | undefined>>): void {
    const { expiresAt } = loading;
    const finish = (): void => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    };
    this.#loading.set(key, loading);
    loading.value.then((value) => {
      finish();
      if (value === undefined) {
        this.#hits.delete(key);
        insert(this.#misses, key, { expiresAt, value }, this.#maxEntries / hitsPerMiss);
      } else insert(this.#hits, key, { expiresAt, value }, this.#maxEntries);
    }, finish);
  }
}

/** Inserts an entry as the youngest, and evicts the oldest where there are too many. */
const insert = <E>(entries: Map<string, E>, key: string, entry: E, maxEntries: number): void => {
  entries.delete(key);
  entries.set(key, entry);
  if (entries.size <= maxEntries) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
};
