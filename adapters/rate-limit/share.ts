import type { Limit, QuotaState } from '#adapters/support/quota-store.ts';
import type { Allowance } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';

/** Exponential backoff of the requests to a store that has no quota left for a key, in milliseconds. */
const backoffMs = { first: 100, max: 1_000 };

/**
 * How long a request waits for quota that another process may hold, before it is rejected, in milliseconds: longer than a
 * process keeps unused quota.
 */
const unusedQuotaTimeoutMs = 600;

/** Target lifetime of a block, in milliseconds: one that is consumed faster is too small, one that lasts longer too large. */
const blockLifetimeMs = { min: 100, max: 400, maxOfSmall: 5_000 };

/** Clock skew: a window that ends this much later than it can shows that the clock was set back, in milliseconds. */
const clockSkewToleranceMs = 1_000;

/** One process leases at most this part of the remaining quota: a quarter. */
const maxShareDivisor = 4;

interface Waiting {
  readonly resolve: (allowance: Allowance) => void;
  readonly reject: (error: unknown) => void;
}

type State = Pick<QuotaState, 'resetAt' | 'rest'>;

/** A key's window as this process knows it, and the quota that it has leased. All times are the store's, in milliseconds. */
export class Share {
  readonly key: ApiKeyId;
  readonly #limit: number;
  readonly #windowMilliseconds: number;
  /** The size of a small lease, which other processes can do without while plenty is left. */
  readonly #little: number;
  resetAt = 0;
  /** Whether this process opened the window while the store was unavailable. */
  #isOwn = false;
  /** Leased quota that is not consumed yet. */
  held = 0;
  /** Quota whose return to the store is in flight. */
  returning = 0;
  /** Quota left in the store, as last read. */
  rest: number;
  /** Requests that were allowed while the store was unavailable, and that it has not counted yet. */
  debt = 0;
  usedAt = 0;
  /** When quota was last leased or returned. */
  contactAt = 0;
  /** When the store was last read. */
  lookedAt = 0;
  isAsking = false;
  waiting: Waiting[] = [];
  /** All quota that this process has leased in this window. */
  #mine = 0;
  #block: number;
  #rejectedSince: number | undefined;
  #pause = backoffMs.first;
  #askAgainAt = 0;

  constructor(key: ApiKeyId, { limit, windowMilliseconds }: Limit) {
    this.key = key;
    this.#limit = limit;
    this.#windowMilliseconds = windowMilliseconds;
    this.rest = limit;
    this.#little = Math.ceil(limit / 100);
    this.#block = this.#little;
  }

  allowance(allowed: boolean, time: number): Allowance {
    const { resetAt } = this;
    const remaining = Math.max(0, this.rest + this.held + this.returning - this.debt);
    const wait = Math.min(resetAt - time, this.#windowMilliseconds);
    return { allowed, limit: this.#limit, remaining, resetAt, wait };
  }

  /** Consumes one request from the leased quota, which must not be empty. */
  spend(time: number): Allowance {
    this.held -= 1;
    this.usedAt = time;
    return this.allowance(true, time);
  }

  /** Counts one request in this process alone, until the store is available again. */
  spendAlone(time: number): Allowance {
    if (time >= this.resetAt) {
      this.#open(time + this.#windowMilliseconds);
      this.#isOwn = true;
      this.rest = this.#limit;
    }
    if (this.held > 0) return this.spend(time);
    if (this.rest <= this.debt) return this.allowance(false, time);
    this.debt += 1;
    this.usedAt = time;
    return this.allowance(true, time);
  }

  /** Drops a window that ends later than possible, because the clock was set back. The store knows the right end. */
  dropIfClockWentBack(time: number): void {
    if (this.resetAt - time <= this.#windowMilliseconds + clockSkewToleranceMs) return;
    this.#open(0);
    this.#askAgainAt = 0;
    this.usedAt = this.contactAt = this.lookedAt = time;
  }

  /** Whether the lease is small and plenty of quota is left for other processes. */
  get isModest(): boolean {
    return this.held <= this.#little && this.rest * 2 >= this.#limit;
  }

  /** Whether the lease is consumed so slowly that it need not be renewed at once. */
  isLeisurely(time: number): boolean {
    return this.isModest && time - this.contactAt >= blockLifetimeMs.max;
  }

  /** Whether the next block should be leased ahead of use. */
  get runsDry(): boolean {
    return this.rest > 0 && this.held * 2 <= this.#block;
  }

  /** Whether no process can hold quota any more, so that requests are rejected. */
  isSpent(time: number): boolean {
    if (this.#rejectedSince === undefined || this.held > 0) return false;
    return this.#hadAll || time - this.#rejectedSince >= unusedQuotaTimeoutMs;
  }

  get isRejected(): boolean {
    return this.#rejectedSince !== undefined;
  }

  /** Whether the backoff has passed, or the window has ended. */
  mayAsk(time: number): boolean {
    return time >= this.#askAgainAt || time >= this.resetAt;
  }

  /** How much to lease: the waiting requests, plus a block that lasts for its target lifetime. */
  wish(time: number): number {
    const isOver = time >= this.resetAt;
    const lasted = time - this.contactAt;
    const maxLifetimeMs =
      this.#block <= this.#little && this.isModest ? blockLifetimeMs.maxOfSmall : blockLifetimeMs.max;
    if (!isOver && lasted < blockLifetimeMs.min) this.#block *= 2;
    else if (!isOver && lasted > maxLifetimeMs) this.#block /= 2;
    const rest = isOver ? this.#limit : this.rest;
    this.#block = Math.ceil(Math.max(1, Math.min(this.#block, rest / maxShareDivisor)));
    return (
      (isOver ? 0 : this.debt) +
      this.waiting.length +
      Math.max(this.#block - (isOver ? 0 : this.held), this.waiting.length > 0 ? 0 : 1)
    );
  }

  /** Receives a lease, and serves the waiting requests as far as it goes. */
  receive(state: State, granted: number, time: number): void {
    this.learn(state, time);
    this.held += granted;
    this.#mine += granted;
    const settled = Math.min(this.debt, this.held);
    this.held -= settled;
    // An overrun cannot be settled when no quota is left.
    this.debt = state.rest === 0 ? 0 : this.debt - settled;
    const served = this.waiting.splice(0, this.held);
    for (const { resolve } of served) resolve(this.spend(time));
    if (granted > 0 && this.waiting.length === 0) {
      this.#rejectedSince = undefined;
      this.#pause = backoffMs.first;
    } else if (this.held === 0 && state.rest === 0) this.#reject(time);
  }

  /** @returns how much to return: all when the key is idle, or else what exceeds the recent pace */
  spare(isSilent: boolean): number {
    if (isSilent) return this.held;
    this.#block = Math.ceil(this.#block / 2);
    return Math.max(0, this.held - this.#block);
  }

  giveBack(count: number): void {
    this.held -= count;
    this.returning += count;
  }

  /** @param state undefined when the window has ended, or the outcome is unknown */
  returned(
    { count, resetAt }: { readonly count: number; readonly resetAt: number },
    state: State | undefined,
    time: number,
  ): void {
    if (resetAt === this.resetAt) {
      this.returning -= count;
      if (state?.resetAt === resetAt) this.#mine -= count;
    }
    if (state !== undefined) this.learn(state, time);
  }

  learn({ resetAt, rest }: State, time: number): void {
    if (resetAt !== this.resetAt) {
      const debt = this.#isOwn && time < this.resetAt ? this.debt : 0;
      this.#open(resetAt);
      this.debt = debt;
    }
    this.rest = rest;
    this.contactAt = time;
    this.lookedAt = time;
  }

  /** Updates the known window. The state of another window is ignored: the next lease brings it. */
  see({ resetAt, rest }: State): void {
    if (resetAt === this.resetAt) this.rest = rest;
  }

  fail(error: unknown): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  /** Serves the waiting requests by counting in this process alone. */
  serveAlone(time: number): void {
    for (const { resolve } of this.waiting.splice(0)) resolve(this.spendAlone(time));
  }

  #open(resetAt: number): void {
    this.resetAt = resetAt;
    this.#isOwn = false;
    this.debt = 0;
    this.held = 0;
    this.returning = 0;
    this.#mine = 0;
    this.#rejectedSince = undefined;
    this.#pause = backoffMs.first;
  }

  #reject(time: number): void {
    this.#rejectedSince ??= time;
    this.#askAgainAt = time + this.#pause;
    if (!this.isSpent(time)) return;
    this.#pause = Math.min(this.#pause * 2, backoffMs.max);
    for (const { resolve } of this.waiting.splice(0)) resolve(this.allowance(false, time));
  }

  /** Whether this process has leased all of the window, so that no other can hold any. */
  get #hadAll(): boolean {
    return this.returning === 0 && this.#mine >= this.#limit - this.rest;
  }
}
