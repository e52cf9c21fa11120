import { deadlineExceeded, noDeadline } from '../retry.ts';

/** So many connections are kept from transactions, for reads. */
const connectionsForReads = 2;

/**
 * Limits how many transactions hold a connection at a time (a semaphore), in the order of their requests. The
 * remaining connections serve reads: buyers who wait for one product must not stop everything else.
 */
export class TransactionSlots {
  readonly #waiting = new Set<() => void>();
  #free: number;
  #served = 0;

  /** @param poolSize the maximum number of connections */
  constructor(poolSize: number) {
    this.#free = Math.max(1, poolSize - connectionsForReads);
  }

  /** How many transactions wait for a slot, and how many have had one so far. */
  get queue(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#waiting.size, served: this.#served };
  }

  /**
   * Waits for a slot. Call `release` afterwards. Only the deadline limits the wait: a queue does not mean that the database is slow, and
   * each transaction before this one has its own timeouts.
   * @param deadline on the clock of `performance.now()`
   * @throws ApplicationError 'unavailable' when no slot is free before the deadline
   */
  async acquire(deadline: number): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#isReleased(deadline))) {
      throw deadlineExceeded(new Error('No connection was free in time.'));
    }
    this.#served += 1;
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Waits for the release of a slot, which passes it on. */
  #isReleased(deadline: number): Promise<boolean> {
    return new Promise((resolve) => {
      const onDeadline = (): void => {
        this.#waiting.delete(onRelease);
        resolve(false);
      };
      const timer =
        deadline === noDeadline ? undefined : setTimeout(onDeadline, deadline - performance.now());
      const onRelease = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(onRelease);
        resolve(true);
      };
      this.#waiting.add(onRelease);
    });
  }
}
