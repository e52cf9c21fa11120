import { mock } from 'node:test';

const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout, fetch: realFetch } = globalThis;
const realNow = performance.now.bind(performance);

/** While a request is under way, a millisecond takes at least this many of the real time: the network is not simulated. */
const underWayMs = 0.1;

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
 * Time that passes by a millisecond with each turn of the event loop, in the tests of the surrounding `describe`: waits of seconds
 * end at once. While a request is under way it passes ten times as fast as the real time at most, so that sockets keep up.
 */
export class TurningTime {
  readonly timers = new Set<Timer>();
  now = Math.ceil(performance.now());
  isOver = false;
  #underWay = 0;
  #lastTurnAt = 0;

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

  /** Called when a server holds a request for ever: nothing is under way any more. @returns what ends that */
  hold(): () => void {
    this.#underWay -= 1;
    return () => {
      this.#underWay += 1;
    };
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
    mock.method(globalThis, 'fetch', (...request: Parameters<typeof fetch>) => this.#fetch(...request));
    const turn = (): void => {
      if (this.isOver) return;
      if (this.#underWay <= 0 || realNow() - this.#lastTurnAt >= underWayMs) {
        this.#lastTurnAt = realNow();
        this.pass(1);
      }
      setImmediate(turn);
    };
    setImmediate(turn);
  }

  /** A request is under way until its response is read. */
  async #fetch(...request: Parameters<typeof fetch>): Promise<Response> {
    this.#underWay += 1;
    const end = (): void => {
      this.#underWay -= 1;
    };
    try {
      const response = await realFetch(...request);
      const read = response.text.bind(response);
      return Object.assign(response, { text: () => read().finally(end) });
    } catch (error) {
      end();
      throw error;
    }
  }
}
