interface Found<T> {
  readonly until: number;
  /** A promise while the look-up is under way. */
  value: T | Promise<T>;
}

/**
 * Remembers what a look-up found, for a while, and no more than a number of them. Whoever asks while a look-up is
 * under way shares it; one that fails is not remembered.
 */
export class Recent<T> {
  readonly #found = new Map<string, Found<T>>();
  readonly #lifetime: number;
  readonly #most: number;

  /** @param lifetime in milliseconds, counted from when the look-up begins */
  constructor(lifetime: number, most: number) {
    this.#lifetime = lifetime;
    this.#most = most;
  }

  /** @param look undefined when there is nothing that could be looked up, and nothing to remember */
  get(key: string, look: () => Promise<T> | undefined): T | Promise<T> | undefined {
    const now = performance.now();
    const known = this.#found.get(key);
    if (known !== undefined && known.until > now) return known.value;
    const value = look();
    if (value === undefined) return undefined;
    const found: Found<T> = { until: now + this.#lifetime, value };
    this.#found.delete(key);
    this.#found.set(key, found);
    this.#dropOldest();
    value.then(
      (known) => {
        found.value = known;
      },
      () => {
        if (this.#found.get(key) === found) this.#found.delete(key);
      },
    );
    return value;
  }

  #dropOldest(): void {
    if (this.#found.size <= this.#most) return;
    for (const oldest of this.#found.keys()) {
      this.#found.delete(oldest);
      return;
    }
  }
}
