import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Quotas } from '#adapters/support/quota-store.ts';
import type { Share } from './share.ts';

interface Rest {
  readonly count: number;
  readonly resetAt: number;
}

interface Settings {
  readonly quotas: Quotas;
  readonly now: () => number;
  /** How long the store is waited for, in milliseconds. */
  readonly patience: number;
  /** Told when the store does not answer. What was asked for may come yet, and is held then. */
  readonly late: () => void;
  /** Told when what was asked for will not come. */
  readonly failed: (share: Share, error: unknown) => void;
}

/** How long it is waited for at the end, in milliseconds. */
const farewell = 1_000;

/** How many keys go into one statement. */
const most = 500;

/**
 * Goes to the store for all keys: one statement that changes something at a time, beside it one that only looks, and
 * whatever comes up meanwhile is gathered for the next.
 */
export class Errands {
  readonly #settings: Settings;
  readonly #asking = new Set<Share>();
  readonly #returning = new Map<Share, Rest>();
  readonly #looking = new Set<Share>();
  #isRunning = false;
  #run: Promise<void> | undefined;
  #isLooking = false;
  #isLate = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Whether the store does not answer, so that there is no use in waiting for it. */
  get isLate(): boolean {
    return this.#isLate;
  }

  ask(share: Share): void {
    if (share.isAsking) return;
    share.isAsking = true;
    this.#asking.add(share);
    this.#begin();
  }

  /** What is not there yet is of the window that the share has now, whichever it has when it is brought. */
  giveBack(share: Share, count: number): void {
    const { resetAt } = share;
    const before = this.#returning.get(share);
    const others = before?.resetAt === resetAt ? before.count : 0;
    this.#returning.set(share, { resetAt, count: others + count });
    share.giveBack(count);
    this.#begin();
  }

  /** What the store says of a key, which nothing is asked of. */
  look(share: Share): void {
    share.lookedAt = this.#settings.now();
    this.#looking.add(share);
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#lookOn();
  }

  /** When there is nothing more to be done, or a store that does not answer has been waited for. */
  async done(): Promise<void> {
    await Promise.race([this.#run, wait(farewell, undefined, { ref: false })]);
  }

  #begin(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run = this.#goOn();
  }

  async #goOn(): Promise<void> {
    while (this.#asking.size > 0 || this.#returning.size > 0) {
      await turn();
      if (this.#returning.size > 0) await this.#patiently(() => this.#return());
      if (this.#asking.size > 0) await this.#patiently(() => this.#lease());
    }
    this.#isRunning = false;
  }

  async #patiently(go: () => Promise<void>): Promise<void> {
    const late = setTimeout(() => {
      this.#isLate = true;
      this.#settings.late();
    }, this.#settings.patience);
    await go();
    clearTimeout(late);
    this.#isLate = false;
  }

  /** When it cannot be said, it is looked for again in a while. */
  async #lookOn(): Promise<void> {
    const { quotas } = this.#settings;
    while (this.#looking.size > 0) {
      await turn();
      const these = new Map([...this.#looking].slice(0, most).map((share) => [share.key as string, share]));
      for (const share of these.values()) this.#looking.delete(share);
      const states = await quotas.look([...these.keys()]).catch(() => []);
      for (const state of states) these.get(state.key)?.see(state);
    }
    this.#isLooking = false;
  }

  async #lease(): Promise<void> {
    const { quotas, now, failed } = this.#settings;
    const these = new Map([...this.#asking].slice(0, most).map((share) => [share.key as string, share]));
    const time = now();
    const needs = [...these].map(([key, share]) => ({ key, count: share.wish(time) }));
    for (const share of these.values()) this.#asking.delete(share);
    try {
      for (const state of await quotas.lease(needs)) {
        these.get(state.key)?.receive(state, state.granted, now());
      }
    } catch (error) {
      for (const share of these.values()) failed(share, error);
    }
    for (const share of these.values()) {
      share.isAsking = false;
      // Whoever came while it was asked for.
      if (share.waiting.length > 0 && !share.isRefused) this.ask(share);
    }
  }

  /** What could not be brought back is lost until the window ends. */
  async #return(): Promise<void> {
    const these = [...this.#returning].slice(0, most);
    for (const [share] of these) this.#returning.delete(share);
    const rests = these.map(([{ key }, rest]) => ({ key, ...rest }));
    const states = await this.#settings.quotas.giveBack(rests).catch(() => []);
    const stateOf = new Map(states.map((state) => [state.key, state]));
    for (const [share, rest] of these) share.returned(rest, stateOf.get(share.key), this.#settings.now());
  }
}
