import { mock } from 'node:test';

const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis;

/** A timer of simulated time. Libraries that go on with it afterwards get one of the real time. */
class Timer {
  readonly #time: TurningTime;
  readonly #delayMs: number;
  readonly run: () => void;
  dueAt = 0;

  constructor(time: TurningTime, run: () => void, delayMs: number) {
    this.#time = time;
    this.run = run;
    this.#delayMs = delayMs;
    this.refresh();
  }

  refresh(): this {
    this.dueAt = this.#time.now + this.#delayMs;
    if (this.#time.isOver) setRealTimeout(this.run, this.#delayMs).unref();
    else this.#time.timers.add(this);
    return this;
  }

  ref = (): this => this;
  unref = (): this => this;
  hasRef = (): boolean => true;
}

/**
 * Time that passes by a millisecond with each turn of the event loop, in the tests of the surrounding `describe`. Sockets of this
 * machine keep up, waits of seconds end at once, and load on the machine changes no result.
 */
export class TurningTime {
  readonly timers = new Set<Timer>();
  now = Math.ceil(performance.now());
  isOver = false;

  constructor() {
    before(() => this.#begin());
    after(() => {
      this.isOver = true;
      mock.restoreAll();
    });
  }

  /** Lets so many milliseconds pass at once. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    const due = [...this.timers].filter(({ dueAt }) => dueAt <= this.now);
    for (const timer of due.toSorted((one, other) => one.dueAt - other.dueAt))
      if (this.timers.delete(timer)) timer.run();
  }

  /** Waits so many milliseconds. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** How many milliseconds the work takes. */
  async taken(work: () => Promise<unknown>): Promise<number> {
    const begunAt = this.now;
    await work();
    return this.now - begunAt;
  }

  #begin(): void {
    this.now = Math.ceil(performance.now());
    mock.method(performance, 'now', () => this.now);
    mock.method(
      globalThis,
      'setTimeout',
      (run: (...values: unknown[]) => void, delayMs = 1, ...values: unknown[]) =>
        new Timer(this, () => run(...values), delayMs),
    );
    mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout | Timer | undefined) =>
      timer instanceof Timer ? this.timers.delete(timer) : clearRealTimeout(timer),
    );
    const turn = (): void => {
      if (this.isOver) return;
      this.pass(1);
      setImmediate(turn);
    };
    setImmediate(turn);
  }
}
