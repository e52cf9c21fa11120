import { flushPending } from '../coalescing/write-coalescing.ts';

/** Between two rounds, in milliseconds. */
const intervalMs = 5;

/** Whoever has waited for longer is late, in milliseconds. */
const promptWithinMs = 20;

/**
 * How much of the time it may take to tell them: enough that nobody is late, where so much is enough. Where they are late in
 * spite of it for so long, they have little of it for a while, which is left to those who have been let in; then it is tried
 * again. And how much more they have of the time in which there is nothing else to do. To read them takes as long again.
 */
const timeShare = { inTime: 1 / 6, late: 1 / 12, ofIdle: 1 / 4 };
const fullShareMs = 800;
const reducedShareMs = 3_200;

/** So much of it may be left over from before, for those who come all at once, in milliseconds. */
const maxBudgetMs = 10;

/** Whoever has waited for so long is told at once, in milliseconds. */
const maxDelayMs = 300;

interface Rejection {
  readonly respond: () => void;
  readonly since: number;
}

/**
 * Tells those who are refused, in their order, as long as that takes but a small part of the time. To refuse costs a third of
 * what an order does, and many a client that is told at once comes back at once: a thousand of them leave no time for anything
 * else. So they wait for a moment, and those who have been let in do not.
 */
export class LoadShedder {
  #refused: Rejection[] = [];
  /** How long it may take to tell some of them, in milliseconds. */
  #time = 0;
  /** When the last round began, and how long there had been nothing to do until then, in milliseconds. */
  #began = 0;
  #idle = 0;
  /** When nobody was late for the last time. */
  #lateSince = 0;
  /** How long it takes to tell one. */
  #each = 0.03;

  add(tell: () => void): void {
    const now = performance.now();
    if (this.#refused.length === 0) {
      this.#lateSince = now;
      setTimeout(this.#tellSome, intervalMs);
    }
    this.#refused.push({ respond: tell, since: now });
  }

  readonly #tellSome = (): void => {
    const now = performance.now();
    const idle = performance.nodeTiming.idleTime;
    const [first] = this.#refused;
    if (first !== undefined && now - first.since < promptWithinMs) this.#lateSince = now;
    const tried = (now - this.#lateSince) % (fullShareMs + reducedShareMs);
    const part = tried < fullShareMs ? timeShare.inTime : timeShare.late;
    const more = (now - this.#began) * part + (idle - this.#idle) * timeShare.ofIdle;
    this.#began = now;
    this.#idle = idle;
    this.#time = Math.min(this.#time + more, maxBudgetMs);
    const isOver = ({ since }: Rejection): boolean => now - since > maxDelayMs;
    const most = Math.max(1, Math.floor(this.#time / this.#each), this.#refused.findLastIndex(isOver) + 1);
    const told = this.#refused.splice(0, most);
    for (const { respond: tell } of told) tell();
    flushPending();
    const took = performance.now() - now;
    this.#time = Math.max(0, this.#time - took);
    this.#each = 0.8 * this.#each + (0.2 * took) / told.length;
    if (this.#refused.length > 0) setTimeout(this.#tellSome, intervalMs);
  };
}
