import { mock } from 'node:test';
import { endOfTurn } from '#adapters/support/time.ts';
import { Replacements } from './replacements.ts';
import { SimulatedTimers } from './simulated-timers.ts';

/** How many turns of the event loop asynchronous code gets after each step: a request on a socket of this machine takes a few. */
const turnsPerStep = 5;

/** Time that advances only on command, so that load on the machine changes no result. */
export class SimulatedTime {
  readonly #timers = new SimulatedTimers();
  readonly #replaced = new Replacements();
  #now = Math.ceil(performance.now());
  #idle = performance.nodeTiming.idleTime;

  /** @param readMs how long a read of the clock takes, in milliseconds: a loop that does little else ends by it */
  constructor(readMs = 0) {
    this.#replaced.replace(performance, 'now', () => {
      this.#now += readMs;
      return this.#now;
    });
    mock.getter(performance.nodeTiming, 'idleTime', () => this.#idle);
    this.#replaced.replace(AbortSignal, 'timeout', (milliseconds: number) => {
      const timeout = new AbortController();
      setTimeout(() => timeout.abort(new DOMException('It timed out.', 'TimeoutError')), milliseconds);
      return timeout.signal;
    });
  }

  get now(): number {
    return this.#now;
  }

  /** Advances time as synchronous work of so many milliseconds does. */
  work(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Advances time as an idle event loop does. */
  rest(milliseconds: number): void {
    this.#now += milliseconds;
    this.#idle += milliseconds;
  }

  /** Runs the timers that are due within so many milliseconds. */
  reach(milliseconds: number): void {
    this.#timers.advance(milliseconds);
  }

  /**
   * Lets so many milliseconds pass for asynchronous code, in steps: after each one, what is ready runs, so that a timer which
   * that sets is due at its own time. Sockets and databases go on in real time.
   */
  async pass(milliseconds: number, stepMs = Math.max(1, milliseconds / 100)): Promise<void> {
    const end = this.#now + milliseconds;
    while (this.#now < end) {
      const step = Math.min(stepMs, end - this.#now);
      this.rest(step);
      this.#timers.advance(step);
      for (let turn = 0; turn < turnsPerStep; turn += 1) await endOfTurn();
    }
  }

  /**
   * Lets time pass until the condition holds.
   * @returns how many milliseconds that took
   * @throws when it does not hold within so many milliseconds
   */
  async passUntil(
    condition: () => boolean,
    limitMs: number,
    stepMs = Math.max(1, Math.floor(limitMs / 200)),
  ): Promise<number> {
    const begun = this.#now;
    while (!condition()) {
      if (this.#now - begun >= limitMs) throw new Error(`The condition does not hold after ${limitMs} ms.`);
      await this.pass(stepMs, stepMs);
    }
    return this.#now - begun;
  }

  /**
   * Lets time pass until the promise is settled.
   * @throws its error, or another one when it is not settled within so many milliseconds
   */
  async settle<T>(promise: Promise<T>, limitMs = 60_000, stepMs?: number): Promise<T> {
    let isSettled = false;
    const note = (): void => {
      isSettled = true;
    };
    promise.then(note, note);
    await endOfTurn();
    await this.passUntil(() => isSettled, limitMs, stepMs);
    return promise;
  }

  end(): void {
    mock.reset();
    this.#replaced.end();
    this.#timers.end();
  }
}
