import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Quotas } from '#adapters/support/quota-store.ts';
import type { Share } from './share.ts';

interface Rest {
  readonly count: number;
  readonly resetAt: number;
}

interface Dependencies {
  readonly quotas: Quotas;
  readonly now: () => number;
  readonly storeTimeoutMs: number;
  /** Called when the store exceeds the timeout. Its response may still come, and is used then. */
  readonly late: () => void;
  /** Called when a lease failed. */
  readonly failed: (share: Share, error: unknown) => void;
}

/** How long shutdown waits for the store, in milliseconds. */
const closeTimeoutMs = 1_000;

/** Maximum number of keys in one statement. */
const maxBatchSize = 500;

/**
 * Batches all access to the quota store: at most one write and one read are in flight at a time, and what arrives in
 * between goes into the next batch.
 */
export class Errands {
  readonly #dependencies: Dependencies;
  readonly #asking = new Set<Share>();
  readonly #returning = new Map<Share, Rest>();
  readonly #looking = new Set<Share>();
  #isRunning = false;
  #run: Promise<void> | undefined;
  #isLooking = false;
  #isLate = false;

  constructor(settings: Dependencies) {
    this.#dependencies = settings;
  }

  /** Whether the store exceeds its timeout, so that requests must not wait for it. */
  get isLate(): boolean {
    return this.#isLate;
  }

  ask(share: Share): void {
    if (share.isAsking) return;
    share.isAsking = true;
    this.#asking.add(share);
    this.#begin();
  }

  /** Returns quota to the store. It counts for the window that the share has now, even if the share has another by then. */
  giveBack(share: Share, count: number): void {
    const { resetAt } = share;
    const before = this.#returning.get(share);
    const others = before?.resetAt === resetAt ? before.count : 0;
    this.#returning.set(share, { resetAt, count: others + count });
    share.giveBack(count);
    this.#begin();
  }

  /** Reads the remaining quota of a key, without a lease. */
  look(share: Share): void {
    share.lookedAt = this.#dependencies.now();
    this.#looking.add(share);
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#lookOn();
  }

  /** Resolves when all batches are done, or after the close timeout. */
  async done(): Promise<void> {
    await Promise.race([this.#run, wait(closeTimeoutMs, undefined, { ref: false })]);
  }

  #begin(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run = this.#goOn();
  }

  async #goOn(): Promise<void> {
    while (this.#asking.size > 0 || this.#returning.size > 0) {
      await turn();
      if (this.#returning.size > 0) await this.#withTimeout(() => this.#return());
      if (this.#asking.size > 0) await this.#withTimeout(() => this.#lease());
    }
    this.#isRunning = false;
  }

  async #withTimeout(go: () => Promise<void>): Promise<void> {
    const late = setTimeout(() => {
      this.#isLate = true;
      this.#dependencies.late();
    }, this.#dependencies.storeTimeoutMs);
    await go();
    clearTimeout(late);
    this.#isLate = false;
  }

  /** A failed read is dropped: the next sweep repeats it. */
  async #lookOn(): Promise<void> {
    const { quotas } = this.#dependencies;
    while (this.#looking.size > 0) {
      await turn();
      const these = new Map(
        [...this.#looking].slice(0, maxBatchSize).map((share) => [share.key as string, share]),
      );
      for (const share of these.values()) this.#looking.delete(share);
      const states = await quotas.look([...these.keys()]).catch(() => []);
      for (const state of states) these.get(state.key)?.see(state);
    }
    this.#isLooking = false;
  }

  async #lease(): Promise<void> {
    const { quotas, now, failed } = this.#dependencies;
    const these = new Map(
      [...this.#asking].slice(0, maxBatchSize).map((share) => [share.key as string, share]),
    );
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
      // Requests that arrived while the lease was in flight.
      if (share.waiting.length > 0 && !share.isRejected) this.ask(share);
    }
  }

  /** Quota whose return fails is lost until the window ends. */
  async #return(): Promise<void> {
    const these = [...this.#returning].slice(0, maxBatchSize);
    for (const [share] of these) this.#returning.delete(share);
    const rests = these.map(([{ key }, rest]) => ({ key, ...rest }));
    const states = await this.#dependencies.quotas.giveBack(rests).catch(() => []);
    const stateOf = new Map(states.map((state) => [state.key, state]));
    for (const [share, rest] of these) share.returned(rest, stateOf.get(share.key), this.#dependencies.now());
  }
}
