/** Interval between two batches of rejections. */
const intervalMs = 5;

/** A rejection is prompt when it waits for less than this. */
const promptWithinMs = 20;

/**
 * The CPU budget of rejections: fractions of all time (`inTime` while rejections are prompt, `late` while they are not), and of
 * the event loop's idle time. Reading the rejected requests costs as much again.
 */
const timeShare = { inTime: 1 / 6, late: 1 / 12, ofIdle: 1 / 4 };

/** Late rejections alternate between a period with the full share and one with the reduced share. */
const fullShareMs = 800;
const reducedShareMs = 3_200;

/** Unused budget is kept up to this much, for bursts. */
const maxBudgetMs = 10;

/** A rejection that has waited this long is sent at once, whatever the budget. */
const maxDelayMs = 300;

interface Rejection {
  readonly respond: () => void;
  readonly since: number;
}

/**
 * Load shedding: sends rejections in their order, within a CPU budget. Clients that are rejected at once retry at once, so
 * delayed rejections (backpressure) leave time for admitted requests.
 */
export class LoadShedder {
  #queue: Rejection[] = [];
  /** The budget for sending rejections, in milliseconds. */
  #budget = 0;
  /** When the last batch began, and the event loop's total idle time then, in milliseconds. */
  #lastBatch = 0;
  #idleTime = 0;
  /** When rejections were prompt for the last time. */
  #lateSince = 0;
  /** Moving average of the time that one rejection takes, in milliseconds. */
  #cost = 0.03;

  /** @param respond sends the rejection */
  add(respond: () => void): void {
    const now = performance.now();
    if (this.#queue.length === 0) {
      this.#lateSince = now;
      setTimeout(this.#sendBatch, intervalMs);
    }
    this.#queue.push({ respond, since: now });
  }

  readonly #sendBatch = (): void => {
    const now = performance.now();
    const { idleTime } = performance.nodeTiming;
    const [first] = this.#queue;
    if (first !== undefined && now - first.since < promptWithinMs) this.#lateSince = now;
    const phase = (now - this.#lateSince) % (fullShareMs + reducedShareMs);
    const share = phase < fullShareMs ? timeShare.inTime : timeShare.late;
    const earned = (now - this.#lastBatch) * share + (idleTime - this.#idleTime) * timeShare.ofIdle;
    this.#lastBatch = now;
    this.#idleTime = idleTime;
    this.#budget = Math.min(this.#budget + earned, maxBudgetMs);
    const isOverdue = ({ since }: Rejection): boolean => now - since > maxDelayMs;
    const count = Math.max(
      1,
      Math.floor(this.#budget / this.#cost),
      this.#queue.findLastIndex(isOverdue) + 1,
    );
    const batch = this.#queue.splice(0, count);
    for (const { respond } of batch) respond();
    const took = performance.now() - now;
    this.#budget = Math.max(0, this.#budget - took);
    this.#cost = 0.8 * this.#cost + (0.2 * took) / batch.length;
    if (this.#queue.length > 0) setTimeout(this.#sendBatch, intervalMs);
  };
}
