import { type SwapRemoveEntry, SwapRemoveSet } from '#adapters/support/swap-remove-set.ts';

/** How often expired items are looked for: an item is reported at most this much after its deadline. */
const sweepIntervalMs = 25;

/**
 * Reports items that exceed their deadline; `request-lifecycle.ts` responds 503 or 408 to such a request. One timer sweeps over all items: deadlines rarely expire, and a timer for each
 * item would dominate the cost of a short request.
 */
export class DeadlineSweeper<T> {
  readonly #deadlineOf: (item: T) => number;
  readonly #onExpired: (item: T) => void;
  readonly #items = new SwapRemoveSet<T>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param deadlineOf the deadline of an item, on the scale of `performance.now()`; it may change between sweeps
   * @param onExpired called for an expired item at each sweep until the item is removed
   */
  constructor(deadlineOf: (item: T) => number, onExpired: (item: T) => void) {
    this.#deadlineOf = deadlineOf;
    this.#onExpired = onExpired;
  }

  add(item: T): SwapRemoveEntry<T> {
    this.#timer ??= setTimeout(this.#sweep, sweepIntervalMs).unref();
    return this.#items.add(item);
  }

  remove(member: SwapRemoveEntry<T>): void {
    this.#items.remove(member);
  }

  readonly #sweep = (): void => {
    this.#timer = this.#items.size > 0 ? setTimeout(this.#sweep, sweepIntervalMs).unref() : undefined;
    const now = performance.now();
    for (const item of this.#items.values) if (now >= this.#deadlineOf(item)) this.#onExpired(item);
  };
}
