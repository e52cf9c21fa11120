import BetterSqlite3, { type Database } from 'better-sqlite3';
import { endOfTurn } from '#adapters/support/time.ts';
import { Replacements } from './replacements.ts';
import { SimulatedTime } from './simulated-time.ts';

/** A request on a socket of this machine takes about ten turns of the event loop. */
const turnsPerMs = 20;

const firstPauseMs = 10;
const longestPauseMs = 200;

/**
 * Simulated time for a whole service: it passes a little with each turn of the event loop, so that no wait of the product stands
 * still, and otherwise on command. A slow machine takes longer for a turn, and no turn takes more of this time.
 */
export class FlowingTime {
  readonly #time: SimulatedTime;
  readonly #replaced = new Replacements();
  #hasEnded = false;

  /** @param readMs as `SimulatedTime` has it */
  constructor(readMs?: number) {
    this.#time = new SimulatedTime(readMs);
    const offset = Date.now() - this.#time.now;
    this.#replaced.replace(Date, 'now', () => Math.floor(offset + this.#time.now));
    simulateSqliteClock(this.#replaced);
    void this.#flow();
  }

  get now(): number {
    return this.#time.now;
  }

  /** Has synchronous work take so many milliseconds. */
  work(milliseconds: number): void {
    this.#time.work(milliseconds);
  }

  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): Promise<void> {
    return this.#time.pass(milliseconds, Math.min(milliseconds, Math.max(5, milliseconds / 100)));
  }

  /** Lets time pass until the work has ended. @returns its result, and how many milliseconds it has taken */
  async during<T>(work: Promise<T>, stepMs = 10): Promise<readonly [T, number]> {
    const begun = this.now;
    let ended: number | undefined;
    const result = work.finally(() => {
      ended = this.now;
    });
    result.catch(() => undefined);
    while (ended === undefined) await this.#time.pass(stepMs, stepMs);
    return [await result, ended - begun];
  }

  /**
   * Polls until the value satisfies the condition.
   * @throws when it does not within so much of this time
   */
  async until<T>(read: () => Promise<T>, condition: (value: T) => boolean, limitMs = 20_000): Promise<T> {
    const begun = this.now;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 1.5 * pauseMs)) {
      const value = await read();
      if (condition(value)) return value;
      if (this.now - begun > limitMs)
        throw new Error(`The condition does not hold: ${JSON.stringify(value)}`);
      await this.pass(pauseMs);
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.#replaced.end();
    this.#time.end();
  }

  async #flow(): Promise<void> {
    for (let turn = 1; !this.#hasEnded; turn += 1) {
      await endOfTurn();
      if (this.#hasEnded || turn % turnsPerMs !== 0) continue;
      this.#time.rest(1);
      this.#time.reach(1);
    }
  }
}

/** Has SQLite tell the time by `Date.now`, on each connection that is opened from now on. */
const simulateSqliteClock = (replaced: Replacements): void => {
  const { prepare } = BetterSqlite3.prototype;
  const connections = new WeakSet<Database>();
  replaced.replace(BetterSqlite3.prototype, 'prepare', function (this: Database, text: string) {
    if (!connections.has(this)) {
      connections.add(this);
      this.function('unixepoch', { varargs: true }, () => Date.now() / 1_000);
    }
    return Reflect.apply(prepare, this, [text]);
  });
};
