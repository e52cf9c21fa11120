/**
 * Limits how many transactions hold a connection at a time (a semaphore), in the order of their requests. The connections that
 * are left serve reads: buyers who wait for one product must not stop everything else.
 */
export class TransactionSlots {
  readonly #waiting = new Set<() => void>();
  #free: number;
  #served = 0;

  constructor(size: number) {
    this.#free = size;
  }

  /** How many transactions wait for a slot, and how many have had one so far. */
  get queue(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#waiting.size, served: this.#served };
  }

  /**
   * Waits for a slot.
   * @param timeout in milliseconds
   * @returns false when none is free in time
   */
  async acquire(timeout: number): Promise<boolean> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(timeout))) return false;
    this.#served += 1;
    return true;
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }

  #wait(timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        resolve(false);
      }, timeout);
      const take = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(take);
        resolve(true);
      };
      this.#waiting.add(take);
    });
  }
}
