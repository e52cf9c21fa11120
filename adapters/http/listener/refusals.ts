import { leave } from './leave-together.ts';

/** Between two rounds, in milliseconds. */
const pause = 5;

/**
 * How much of the time it may take to tell them, as long as they can be told soon, and when they cannot be anyway; and how much
 * more of that in which there is nothing else to do. To read them takes as long again.
 */
const share = { asLongAsSoon: 1 / 6, else: 1 / 12, ofIdle: 1 / 4 };
const soon = 100;

/** Whoever has waited for so long is told at once, in milliseconds. */
const longest = 500;

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
  /** When the last round ended, and how long there had been nothing to do until then, in milliseconds. */
  #ended = 0;
  #idle = 0;
  /** How long it takes to tell one. */
  #each = 0.03;

  add(tell: () => void): void {
    const now = performance.now();
    if (this.#refused.length === 0) {
      this.#ended = now;
      this.#idle = performance.nodeTiming.idleTime;
      setTimeout(this.#tellSome, pause);
    }
    this.#refused.push({ tell, since: now });
  }

  readonly #tellSome = (): void => {
    const now = performance.now();
    const idle = performance.nodeTiming.idleTime;
    const [first] = this.#refused;
    const isSoon = first !== undefined && now - first.since < soon;
    const part = isSoon ? share.asLongAsSoon : share.else;
    const time = (now - this.#ended) * part + (idle - this.#idle) * share.ofIdle;
    const isOver = ({ since }: Refused): boolean => now - since > longest;
    const most = Math.max(1, Math.floor(time / this.#each), this.#refused.findLastIndex(isOver) + 1);
    const told = this.#refused.splice(0, most);
    for (const { tell } of told) tell();
    leave();
    this.#ended = performance.now();
    this.#idle = idle;
    this.#each = 0.8 * this.#each + (0.2 * (this.#ended - now)) / told.length;
    if (this.#refused.length > 0) setTimeout(this.#tellSome, pause);
  };
}
