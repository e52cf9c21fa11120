import { Crowd, type Member } from '#adapters/support/swap-remove-set.ts';

/** Between two looks at what is under way, in milliseconds: nobody is told later than that. */
const sweepIntervalMs = 25;

/**
 * Sees to it that nothing takes longer than it may. One timer goes round and looks at all there is: hardly anything ever
 * is late, and a timer of its own would be the dearest part of a short request.
 */
export class DeadlineSweeper<T> {
  readonly #deadlineOf: (of: T) => number;
  readonly #onExpired: (of: T) => void;
  readonly #items = new Crowd<T>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param endOf when it has to be over, on the scale of `performance.now()`
   * @param late told of each that is not, at every look from then on until it is
   */
  constructor(endOf: (of: T) => number, late: (of: T) => void) {
    this.#deadlineOf = endOf;
    this.#onExpired = late;
  }

  add(of: T): Member<T> {
    this.#timer ??= setTimeout(this.#sweep, sweepIntervalMs).unref();
    return this.#items.add(of);
  }

  remove(member: Member<T>): void {
    this.#items.remove(member);
  }

  readonly #sweep = (): void => {
    this.#timer = this.#items.size > 0 ? setTimeout(this.#sweep, sweepIntervalMs).unref() : undefined;
    const now = performance.now();
    for (const of of this.#items.all) if (now >= this.#deadlineOf(of)) this.#onExpired(of);
  };
}
