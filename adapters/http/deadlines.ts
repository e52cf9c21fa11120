/** Between two looks at what is under way, in milliseconds: nobody is told later than that. */
const glance = 25;

/**
 * Sees to it that nothing takes longer than it may. One timer goes round and looks at all there is: hardly anything ever
 * is late, and a timer of its own would be the dearest part of a short request.
 */
export class Deadlines<T> {
  readonly #endOf: (of: T) => number;
  readonly #late: (of: T) => void;
  readonly #all = new Set<T>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param endOf when it has to be over, on the scale of `performance.now()`
   * @param late told of each that is not, once
   */
  constructor(endOf: (of: T) => number, late: (of: T) => void) {
    this.#endOf = endOf;
    this.#late = late;
  }

  add(of: T): void {
    this.#all.add(of);
    this.#timer ??= setTimeout(this.#look, glance).unref();
  }

  delete(of: T): void {
    this.#all.delete(of);
  }

  readonly #look = (): void => {
    this.#timer = this.#all.size > 0 ? setTimeout(this.#look, glance).unref() : undefined;
    const now = performance.now();
    for (const of of this.#all) {
      if (now < this.#endOf(of)) continue;
      this.#all.delete(of);
      this.#late(of);
    }
  };
}
