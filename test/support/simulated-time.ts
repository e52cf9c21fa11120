import { mock } from 'node:test';

/** Time that advances only on command, so that load on the machine changes no result. */
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
    mock.timers.tick(milliseconds);
  }

  end(): void {
    mock.restoreAll();
    mock.timers.reset();
  }
}
