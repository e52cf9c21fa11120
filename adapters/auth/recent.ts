/**
 * Remembers what a look-up found, for a while, and no more than a number of them. Whoever asks while a look-up is
 * under way shares it; one that fails is not remembered.
 */
export class Recent<T> {
  readonly #found = new Map<string, { readonly until: number; readonly value: Promise<T> }>();
  readonly #lifetime: number;
  readonly #most: number;

  /** @param lifetime in milliseconds, counted from when the look-up begins */
  constructor(lifetime: number, most: number) {
    this.#lifetime = lifetime;
    this.#most = most;
  }

  get(key: string, look: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.#found.get(key);
    if (known !== undefined && known.until > now) return known.value;
    const value = look();
    this.#found.delete(key);
    this.#found.set(key, { until: now + this.#lifetime, value });
    this.#dropOldest();
    value.catch(() => {
      if (this.#found.get(key)?.value === value) this.#found.delete(key);
    });
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
