import type { Block, RateLimit, WindowState } from '#adapters/support/quota-store.ts';
import type { Allowance } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';

/** A key without requests for this long is idle: its block is returned. The rest of the quota of a used key is read as often. */
const idleMs = 250;

/** A small block is kept this long while most of the limit remains, so that slow clients need not wait. */
const smallBlockIdleMs = 5_000;

/** How long requests wait for blocks of other processes: longer than these keep them without use. */
const returnTimeoutMs = 600;

/** Interval at which such requests try to lease, and the maximum number of them for one key. */
const retryIntervalMs = 100;
const maxWaitingRequests = 256;

/** A window that ends this much later than it can was opened before the clock was set back. */
const clockToleranceMs = 1_000;

/**
 * A key's window as this process knows it, and the block of its quota that this process has leased. All times are the
 * store's, in milliseconds since 1970.
 */
export class KeyWindow {
  readonly key: ApiKeyId;
  readonly #windowMilliseconds: number;
  #limit: number;
  #smallBlock: number;
  #blockSize = 0;
  #resetAt = 0;
  /** Quota that no process has leased, as last read. Below 0 after the limit was lowered below what is leased. */
  #unleased = 0;
  /** Quota that this process has leased in this window and not returned. */
  #leased = 0;
  /** The part of it that is not used. Below 0: requests allowed without the store, which the next lease counts. */
  #unused = 0;
  /** Whether the block was leased under a higher limit, and must be returned before another request is allowed. */
  #isBlockInvalid = false;
  /** Whether the last lease came back with a window that has ended, or ends too late, by this process's time. */
  #isMistimed = false;
  /** Since when no request has been within the quota. */
  #emptySince: number | undefined;
  #waiting: PromiseWithResolvers<Allowance>[] = [];
  #requestedAt = 0;
  #readAt = 0;

  constructor(key: ApiKeyId, rateLimit: RateLimit) {
    this.key = key;
    this.#limit = rateLimit.limit;
    this.#windowMilliseconds = rateLimit.windowMilliseconds;
    this.#smallBlock = smallBlockOf(rateLimit.limit);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Whether the last lease does not fit the time of this process: the store's clock was set since it was measured. */
  get isMistimed(): boolean {
    return this.#isMistimed;
  }

  /** Applies another limit. What has been used in this window counts. */
  setLimit(limit: number): void {
    if (limit === this.#limit) return;
    this.#isBlockInvalid ||= limit < this.#limit && this.#unused > 0;
    this.#unleased += limit - this.#limit;
    this.#limit = limit;
    this.#smallBlock = smallBlockOf(limit);
    this.#blockSize = Math.min(this.#blockSize, limit);
    this.#emptySince = undefined;
  }

  /** Counts a request in memory. @returns undefined when that needs the store */
  consume(time: number): Allowance | undefined {
    this.#requestedAt = time;
    if (this.#hasEnded(time)) return undefined;
    if (this.#unused > 0 && !this.#isBlockInvalid) return this.#use(time);
    if (this.#emptySince === undefined) return undefined;
    const isRejected = this.#waiting.length >= maxWaitingRequests || this.#isExhausted(time);
    return isRejected ? this.#allowance(false, time) : undefined;
  }

  /** Counts a request without the store: against the quota that was unleased when last read. */
  consumeAlone(time: number): Allowance {
    if (this.#hasEnded(time)) this.#open(time + this.#windowMilliseconds);
    return this.#unleased + this.#unused > 0 ? this.#use(time) : this.#allowance(false, time);
  }

  /** Adds a request that waits for the next lease. */
  wait(time: number): Promise<Allowance> {
    // A block that is used up before the next one has come is too small.
    const isTooSmall = !this.#hasEnded(time) && this.#waiting.length === 0 && this.#emptySince === undefined;
    if (isTooSmall) this.#blockSize = Math.min(this.#blockSize * 2, this.#limit);
    const request = Promise.withResolvers<Allowance>();
    this.#waiting.push(request);
    return request.promise;
  }

  serveWaitingAlone(time: number): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.consumeAlone(time));
  }

  rejectWaiting(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Makes the key idle, so that its whole block is returned. */
  retire(): void {
    this.#requestedAt = Number.NEGATIVE_INFINITY;
  }

  /** Decides what to do with this window now: call the store, or forget the window because nothing of it matters. */
  nextStep(time: number): 'lease' | 'return' | 'read' | 'forget' | undefined {
    const hasEnded = this.#hasEnded(time);
    const sinceRead = elapsed(this.#readAt, time);
    const isEmpty = this.#emptySince !== undefined;
    if (this.#isBlockInvalid && this.#unused > 0 && !hasEnded) return 'return';
    if (this.#waiting.length > 0) {
      return hasEnded || !isEmpty || sinceRead >= retryIntervalMs ? 'lease' : undefined;
    }
    // Forgotten, a mistimed window would lease a block ahead of each request, and lose it.
    if (hasEnded) return this.#isMistimed && sinceRead < this.#windowMilliseconds ? undefined : 'forget';
    const isIdle = this.#isIdle(time);
    const isLow = this.#unleased > 0 && this.#unused * 2 <= this.#sizeBlock();
    if (this.#unused < 0 || (isLow && !isIdle)) return 'lease';
    if (this.#unused > this.#needed(time)) return 'return';
    if (isIdle && this.#unused === 0) return isEmpty ? undefined : 'forget';
    return sinceRead >= idleMs ? 'read' : undefined;
  }

  /** Requests what the waiting requests use, and a block ahead of use. Nothing is ahead of use while the clock is wrong. */
  request(time: number): { readonly key: ApiKeyId; readonly count: number } {
    const first = this.#isMistimed ? 0 : this.#smallBlock;
    const ahead = this.#hasEnded(time) ? first : this.#sizeBlock() - this.#unused;
    return { key: this.key, count: Math.max(1, this.#waiting.length + ahead) };
  }

  /** Removes from the block what is to be returned: it then has the size that is kept. */
  releaseSpare(time: number): Block {
    const kept = this.#isBlockInvalid ? 0 : this.#needed(time);
    this.#isBlockInvalid = false;
    const count = this.#unused - kept;
    this.#blockSize = Math.max(1, kept);
    this.#unused = kept;
    this.#leased -= count;
    // Counted as returned at once, so that `remaining` has no gap.
    this.#unleased += count;
    return { key: this.key, count, resetAt: this.#resetAt };
  }

  /**
   * Receives what the store knows, and serves the waiting requests as far as the block goes.
   * @param state undefined when the store does not know the window; with what was granted, after a lease
   * @param limit the limit by which the store has decided
   */
  receive(
    state: (WindowState & { readonly granted?: number }) | undefined,
    time: number,
    limit = this.#limit,
  ): void {
    this.#readAt = time;
    if (state === undefined) return;
    const { resetAt, unleased, granted = 0 } = state;
    if (resetAt !== this.#resetAt) {
      if (state.granted === undefined) return;
      // A window without a lease is one that this process opened for itself. Its requests count in the store's.
      const uncounted = this.#leased === 0 && !this.#hasEnded(time) ? this.#unused : 0;
      this.#open(resetAt);
      this.#unused = uncounted;
    }
    if (state.granted !== undefined) this.#isMistimed = this.#hasEnded(time);
    this.#unleased = unleased + this.#limit - limit;
    this.#leased += granted;
    this.#unused += granted;
    this.#isBlockInvalid ||= granted > 0 && limit > this.#limit;
    // What was allowed beyond the limit cannot be counted.
    if (this.#unleased <= 0) this.#unused = Math.max(0, this.#unused);
    const usable = this.#isBlockInvalid ? 0 : Math.max(0, this.#unused);
    for (const { resolve } of this.#waiting.splice(0, usable)) resolve(this.#use(time));
    const isServed = this.#waiting.length === 0;
    if (this.#isBlockInvalid || this.#unleased > 0 || (granted > 0 && isServed)) this.#emptySince = undefined;
    else if (!isServed) this.#runOut(time);
  }

  #use(time: number): Allowance {
    this.#unused -= 1;
    return this.#allowance(true, time);
  }

  #allowance(allowed: boolean, time: number): Allowance {
    const resetAt = this.#resetAt;
    const remaining = Math.max(0, this.#unleased + this.#unused);
    const wait = Math.max(0, Math.min(resetAt - time, this.#windowMilliseconds));
    return { allowed, limit: this.#limit, remaining, resetAt, wait };
  }

  #open(resetAt: number): void {
    this.#resetAt = resetAt;
    this.#blockSize = this.#smallBlock;
    this.#unleased = this.#limit;
    this.#leased = 0;
    this.#unused = 0;
    this.#isBlockInvalid = false;
    this.#emptySince = undefined;
  }

  #runOut(time: number): void {
    this.#emptySince ??= time;
    if (!this.#isExhausted(time)) return;
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.#allowance(false, time));
  }

  /** Whether no other process can return quota, or each has had the time to. */
  #isExhausted(time: number): boolean {
    const leasedByOthers = this.#limit - Math.max(0, this.#unleased) - this.#leased;
    return leasedByOthers <= 0 || elapsed(this.#emptySince ?? time, time) >= returnTimeoutMs;
  }

  /** A window that ends later than possible counts as ended: the clock was set back, and the store knows the right end. */
  #hasEnded(time: number): boolean {
    const left = this.#resetAt - time;
    return left <= 0 || left > this.#windowMilliseconds + clockToleranceMs;
  }

  #isIdle(time: number): boolean {
    return elapsed(this.#requestedAt, time) >= idleMs;
  }

  /** At most a quarter of what remains, and at least one. */
  #sizeBlock(): number {
    return Math.max(1, Math.min(this.#blockSize, Math.floor(this.#unleased / 4)));
  }

  /** How much of the block to keep: half of one that lasts too long, and a small one while plenty remains. */
  #needed(time: number): number {
    const isPlenty = this.#unleased * 2 >= this.#limit;
    const small = isPlenty && elapsed(this.#requestedAt, time) < smallBlockIdleMs ? this.#smallBlock : 0;
    if (this.#isIdle(time)) return small;
    if (elapsed(this.#readAt, time) < idleMs) return this.#unused;
    return Math.max(Math.ceil(this.#blockSize / 2), small);
  }
}

const smallBlockOf = (limit: number): number => Math.ceil(limit / 100);

/** The distance of two times: a clock that was set back only makes something due early. */
const elapsed = (since: number, time: number): number => Math.abs(time - since);
