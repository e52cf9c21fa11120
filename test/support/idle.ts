import { createHook } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/** @returns measures how long the event loop has been idle since this call, in milliseconds */
const idleSinceNow = (): (() => number) => {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).idle;
};

/**
 * Measures how long the event loop is idle from the start of a timer to its end. When a file is read, or another thread generates a key,
 * it is idle, too, but waits for no clock.
 */
export class ClockWaits {
  readonly #idleSince: typeof idleSinceNow;
  #idleMs: () => number;
  /** How long the event loop had been idle when each timer was set. */
  readonly #timers = new Map<number, { readonly timer: NodeJS.Timeout; idleMs: number }>();
  #longestMs = 0;
  readonly #hook = createHook({
    init: (id, type, _, timer) => {
      if (type === 'Timeout')
        this.#timers.set(id, { timer: timer as NodeJS.Timeout, idleMs: this.#idleMs() });
    },
    before: (id) => {
      const set = this.#timers.get(id);
      // One that keeps no process alive is a job in the background, which ends by chance while something else is waited for.
      if (set === undefined || !set.timer.hasRef()) return;
      const idleMs = this.#idleMs();
      this.#longestMs = Math.max(this.#longestMs, idleMs - set.idleMs);
      // An interval goes on.
      set.idleMs = idleMs;
    },
    destroy: (id) => {
      this.#timers.delete(id);
    },
  });

  /** @param idleSince begins to measure how long the event loop is idle */
  constructor(idleSince = idleSinceNow) {
    this.#idleSince = idleSince;
    this.#idleMs = idleSince();
    this.#hook.enable();
  }

  /** Begins again. What was set before counts no more. */
  begin(): void {
    this.#timers.clear();
    this.#idleMs = this.#idleSince();
    this.#longestMs = 0;
  }

  /** The longest wait for one timer that has ended, in milliseconds. */
  get longestMs(): number {
    return this.#longestMs;
  }

  stop(): void {
    this.#hook.disable();
  }
}

/** How long a unit test may wait for a timer, in milliseconds; undefined where that is not checked: on a busy machine everything waits. */
const { TEST_IDLE_MS: given } = process.env;
const mostMs = given === undefined ? undefined : Number(given);
const waits = mostMs === undefined ? undefined : new ClockWaits();

/** Begins to measure. */
export const beginIdle = (): void => waits?.begin();

/** @throws when the test has waited for a timer, longer than TEST_IDLE_MS */
export const requireBusy = (): void => {
  if (mostMs === undefined || waits === undefined) return;
  const { longestMs } = waits;
  if (longestMs > mostMs)
    throw new Error(
      `The test has waited for a timer of ${Math.round(longestMs)} ms. A unit test waits for no clock.`,
    );
};
