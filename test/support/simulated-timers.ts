const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
};

const maxDelayMs = 2 ** 31 - 1;

/** A timer as Node returns it, as far as programs use it. */
class Timer {
  dueAt = 0;
  readonly run: () => void;
  readonly delayMs: number;
  readonly isRepeated: boolean;
  readonly #timers: SimulatedTimers;

  constructor(timers: SimulatedTimers, run: () => void, delayMs: unknown, isRepeated: boolean) {
    const delay = Number(delayMs);
    this.#timers = timers;
    this.run = run;
    this.delayMs = delay >= 1 && delay <= maxDelayMs ? delay : 1;
    this.isRepeated = isRepeated;
  }

  refresh(): this {
    this.#timers.start(this);
    return this;
  }

  close(): this {
    this.#timers.clear(this);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/**
 * The global timers on a clock that the test sets. Node's mock of timers throws where a timer is cleared or refreshed that has
 * fired already, as the HTTP client in Node does.
 */
export class SimulatedTimers {
  readonly #timers = new Set<Timer>();
  #now = 0;
  #hasEnded = false;

  constructor() {
    const make =
      (isRepeated: boolean) =>
      (callback: (...given: unknown[]) => void, delayMs?: unknown, ...given: unknown[]): Timer => {
        const timer = new Timer(this, () => callback(...given), delayMs, isRepeated);
        return this.start(timer);
      };
    const clear =
      (clearReal: (timer: NodeJS.Timeout | undefined) => void) =>
      (timer: unknown): void => {
        if (timer instanceof Timer) this.clear(timer);
        else clearReal(timer as NodeJS.Timeout | undefined);
      };
    Object.assign(globalThis, {
      setTimeout: make(false),
      setInterval: make(true),
      clearTimeout: clear(real.clearTimeout),
      clearInterval: clear(real.clearInterval),
    });
  }

  /** Starts a timer, or starts it again. One that is started after the end is real. */
  start(timer: Timer): Timer {
    this.#timers.delete(timer);
    timer.dueAt = this.#now + timer.delayMs;
    if (this.#hasEnded) real.setTimeout(timer.run, timer.delayMs).unref();
    else this.#timers.add(timer);
    return timer;
  }

  clear(timer: Timer): void {
    this.#timers.delete(timer);
  }

  /** Runs the timers that are due within so many milliseconds, each at its time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#firstUntil(end); next !== undefined; next = this.#firstUntil(end)) {
      this.#now = Math.max(this.#now, next.dueAt);
      if (next.isRepeated) this.start(next);
      else this.clear(next);
      next.run();
    }
    this.#now = end;
  }

  /** Gives the real timers back. Those that wait never run. */
  end(): void {
    this.#hasEnded = true;
    Object.assign(globalThis, real);
  }

  /** Of timers that are due at the same time, the one that was started first. */
  #firstUntil(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (first === undefined || timer.dueAt < first.dueAt)) first = timer;
    }
    return first;
  }
}
