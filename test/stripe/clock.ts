interface Task {
  readonly at: number;
  readonly run: () => unknown;
}

/** A longer delay is only reached by moving the clock. */
const longestTimer = 24 * 60 * 60 * 1000;

/** The provider's clock, which tests move forward. Tasks run in the order of their times, each at its own time. */
export class Clock {
  #ahead = 0;
  #tasks: Task[] = [];
  #sleeping = Promise.withResolvers<void>();
  readonly #running = new Set<Promise<unknown>>();

  /** In milliseconds. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** @param run may return a promise; `settle` waits for it */
  after(milliseconds: number, run: () => unknown): void {
    const at = this.now() + milliseconds;
    this.#tasks.push({ at, run });
    this.#tasks.sort((one, other) => one.at - other.at);
    // A timer may fire a millisecond before its time by the clock.
    if (milliseconds < longestTimer)
      setTimeout(() => this.advance(Math.max(0, at - this.now())), milliseconds).unref();
  }

  /** Resolves when the next `sleep` begins. */
  get asleep(): Promise<void> {
    return this.#sleeping.promise;
  }

  sleep(milliseconds: number): Promise<void> {
    this.#sleeping.resolve();
    this.#sleeping = Promise.withResolvers();
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  advance(milliseconds: number): void {
    const target = this.now() + milliseconds;
    for (let [task] = this.#tasks; task !== undefined && task.at <= target; [task] = this.#tasks) {
      this.#tasks.shift();
      this.#ahead += Math.max(0, task.at - this.now());
      this.#start(task);
    }
    this.#ahead += Math.max(0, target - this.now());
  }

  /** Runs what is due, and waits until all that was started has ended. */
  async settle(): Promise<void> {
    this.advance(0);
    while (this.#running.size > 0) {
      await Promise.all(this.#running);
      this.advance(0);
    }
  }

  stop(): void {
    this.#tasks = [];
  }

  #start({ run }: Task): void {
    const done = run();
    if (!(done instanceof Promise)) return;
    this.#running.add(done);
    void done.finally(() => this.#running.delete(done));
  }
}
