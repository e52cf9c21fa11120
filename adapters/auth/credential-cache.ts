interface Remembered<T> {
  readonly until: number;
  readonly value: T;
}

/** How many more are found than not: whoever has no credential can ask for as many as they like. */
const foundToMissed = 10;

/**
 * Remembers what a look-up found, for a while, and no more than a number of them. Whoever asks while a look-up is
 * under way shares it; one that fails is not remembered. One that finds nothing is, but takes no room from the others.
 */
export class Recent<T> {
  readonly #looking = new Map<string, Remembered<Promise<T | undefined>>>();
  readonly #found = new Map<string, Remembered<T>>();
  readonly #missed = new Map<string, Remembered<undefined>>();
  readonly #lifetime: number;
  readonly #most: number;

  /** @param lifetime in milliseconds, counted from when the look-up begins */
  constructor(lifetime: number, most: number) {
    this.#lifetime = lifetime;
    this.#most = most;
  }

  /** @param look undefined when there is nothing that could be looked up, and nothing to remember */
  get(key: string, look: () => Promise<T | undefined> | undefined): T | Promise<T | undefined> | undefined {
    const now = performance.now();
    const known = this.#found.get(key);
    if (known !== undefined && known.until > now) return known.value;
    const other = this.#looking.get(key) ?? this.#missed.get(key);
    if (other !== undefined && other.until > now) return other.value;
    const value = look();
    if (value !== undefined) this.#await(key, { until: now + this.#lifetime, value });
    return value;
  }

  #await(key: string, looking: Remembered<Promise<T | undefined>>): void {
    const { until } = looking;
    const end = (): void => {
      if (this.#looking.get(key) === looking) this.#looking.delete(key);
    };
    this.#looking.set(key, looking);
    looking.value.then((value) => {
      end();
      if (value === undefined) remember(this.#missed, key, { until, value }, this.#most / foundToMissed);
      else remember(this.#found, key, { until, value }, this.#most);
    }, end);
  }
}

/** As the youngest, in place of the oldest where there are too many. */
const remember = <R>(all: Map<string, R>, key: string, one: R, most: number): void => {
  all.delete(key);
  all.set(key, one);
  if (all.size <= most) return;
  for (const oldest of all.keys()) {
    all.delete(oldest);
    return;
  }
};
