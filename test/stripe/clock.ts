interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** A longer delay is only reached by moving the clock. */
const longestTimer = 24 * 60 * 60 * 1000;

/** The provider's clock, which tests move forward. Tasks run in the order of their times, each at its own time. */
export class Clock {
  #ahead = 0;
  #tasks: Task[] = [];

  /** In milliseconds. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  after(milliseconds: number, run: () => void): void {
    this.#tasks.push({ at: this.now() + milliseconds, run });
    this.#tasks.sort((one, other) => one.at - other.at);
    if (milliseconds < longestTimer) setTimeout(() => this.advance(0), milliseconds).unref();
  }

  advance(milliseconds: number): void {
    const target = this.now() + milliseconds;
    for (let [task] = this.#tasks; task !== undefined && task.at <= target; [task] = this.#tasks) {
      this.#tasks.shift();
      this.#ahead += Math.max(0, task.at - this.now());
      task.run();
    }
    this.#ahead += Math.max(0, target - this.now());
  }

  stop(): void {
    this.#tasks = [];
  }
}
