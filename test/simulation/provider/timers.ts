import type { Actor, Schedule } from '../schedule.ts';

/** What will happen at the provider without any request. Nothing of it is lost in a crash of a server. */
export class Timers {
  readonly #schedule: Schedule;
  readonly #provider: Actor = { name: 'provider', isGone: false };
  #planned = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Whether nothing is left to happen. */
  get isEmpty(): boolean {
    return this.#planned === 0;
  }

  get now(): number {
    return this.#schedule.now;
  }

  plan(milliseconds: number, act: () => void): void {
    this.#planned += 1;
    this.#schedule.after(milliseconds, () => {
      this.#planned -= 1;
      act();
    });
  }

  note(what: string): void {
    this.#schedule.note(this.#provider, what);
  }
}
