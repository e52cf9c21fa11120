import { leave } from '../coalescing/write-coalescing.ts';

/** Between two rounds, in milliseconds. */
const pause = 5;

/** Whoever has waited for longer is late, in milliseconds. */
const soon = 20;

/**
 * How much of the time it may take to tell them: enough that nobody is late, where so much is enough. Where they are late in
 * spite of it for so long, they have little of it for a while, which is left to those who have been let in; then it is tried
 * again. And how much more they have of the time in which there is nothing else to do. To read them takes as long again.
 */
const share = { inTime: 1 / 6, late: 1 / 12, ofIdle: 1 / 4 };
const tryFor = 800;
const leaveFor = 3_200;

/** So much of it may be left over from before, for those who come all at once, in milliseconds. */
const mostLeft = 10;

/** Whoever has waited for so long is told at once, in milliseconds. */
const longest = 300;

interface Refused {
  readonly tell: () => void;
  readonly since: number;
}

/**
 * Tells those who are refused, in their order, as long as that takes but a small part of the time. To refuse costs a third of
 * what an order does, and many a client that is told at once comes back at once: a thousand of them leave no time for anything
 * else. So they wait for a moment, and those who have been let in do not.
 */
export class Refusals {
  #refused: Refused[] = [];
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
      setTimeout(this.#tellSome, pause);
    }
    this.#refused.push({ tell, since: now });
  }

  readonly #tellSome = (): void => {
    const now = performance.now();
    const idle = performance.nodeTiming.idleTime;
    const [first] = this.#refused;
    if (first !== undefined && now - first.since < soon) this.#lateSince = now;
    const tried = (now - this.#lateSince) % (tryFor + leaveFor);
    const part = tried < tryFor ? share.inTime : share.late;
    const more = (now - this.#began) * part + (idle - this.#idle) * share.ofIdle;
    this.#began = now;
    this.#idle = idle;
    this.#time = Math.min(this.#time + more, mostLeft);
    const isOver = ({ since }: Refused): boolean => now - since > longest;
    const most = Math.max(1, Math.floor(this.#time / this.#each), this.#refused.findLastIndex(isOver) + 1);
    const told = this.#refused.splice(0, most);
    for (const { tell } of told) tell();
    leave();
    const took = performance.now() - now;
    this.#time = Math.max(0, this.#time - took);
    this.#each = 0.8 * this.#each + (0.2 * took) / told.length;
    if (this.#refused.length > 0) setTimeout(this.#tellSome, pause);
  };
}
