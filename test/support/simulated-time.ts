import { mock } from 'node:test';

/** Time that passes only as it is told to: a machine that is busy with something else changes no result. */
export class SimulatedTime {
  #now = Math.ceil(performance.now());
  #idle = performance.nodeTiming.idleTime;

  constructor() {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => this.#now);
    mock.getter(performance.nodeTiming, 'idleTime', () => this.#idle);
  }

  get now(): number {
    return this.#now;
  }

  /** Something takes so many milliseconds, and nothing else happens meanwhile. */
  work(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** There is nothing to do for so many milliseconds. */
  rest(milliseconds: number): void {
    this.#now += milliseconds;
    this.#idle += milliseconds;
  }

  /** What was to happen within so many milliseconds, happens. */
  reach(milliseconds: number): void {
    mock.timers.tick(milliseconds);
  }

  end(): void {
    mock.restoreAll();
    mock.timers.reset();
  }
}
