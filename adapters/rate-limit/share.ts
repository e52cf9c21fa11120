import type { Limit, QuotaState } from '#adapters/support/quota-store.ts';
import type { Allowance } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';

/** How soon a store that had nothing left for a key is asked for it again, in milliseconds, and how late at the most. */
const pauses = { first: 100, longest: 1_000 };

/**
 * How long whoever would be denied waits for what another process may still hold, in milliseconds: a little longer than
 * such a process keeps what it does not use.
 */
const grace = 600;

/** Spent sooner than this after it was handed out, a block is too small; later, too large. In milliseconds. */
const lasting = { least: 100, most: 400, mostOfLittle: 5_000 };

/** How much further away than it can be a window's end may be before the clock must have been put back, in milliseconds. */
const tolerance = 1_000;

/** What is left for all is not handed to one: it asks for this part of it at the most. */
const modesty = 4;

interface Waiting {
  readonly resolve: (allowance: Allowance) => void;
  readonly reject: (error: unknown) => void;
}

type State = Pick<QuotaState, 'resetAt' | 'rest'>;

/** What this process knows of a key's window, and holds of its quota. All times are the store's, in milliseconds. */
export class Share {
  readonly key: ApiKeyId;
  readonly #limit: number;
  readonly #windowMilliseconds: number;
  /** So much is held by one that asks seldom, and it does not matter to others while plenty is left. */
  readonly #little: number;
  resetAt = 0;
  /** Whether the window was opened here, and the store knows nothing of it. */
  #isOwn = false;
  /** Handed to this process, and to be spent by it. */
  held = 0;
  /** On its way back to the store. */
  returning = 0;
  /** Left for everybody when the store was last asked. */
  rest: number;
  /** Allowed here while the store took nothing, and not yet counted by it. */
  debt = 0;
  usedAt = 0;
  /** When the store has last handed something out, or taken something back. */
  contactAt = 0;
  /** When it was last asked, be it only for a look. */
  lookedAt = 0;
  isAsking = false;
  waiting: Waiting[] = [];
  /** All that this process was handed in this window. */
  #mine = 0;
  #block: number;
  #refusedSince: number | undefined;
  #pause = pauses.first;
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

  /** One request, which is counted. There must be something held. */
  spend(time: number): Allowance {
    this.held -= 1;
    this.usedAt = time;
    return this.allowance(true, time);
  }

  /** One request, which this process counts for itself until the store answers. */
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

  /** Forgets a window that ends later than one can: the clock has been put back, and the store will say when it ends. */
  heed(time: number): void {
    if (this.resetAt - time <= this.#windowMilliseconds + tolerance) return;
    this.#open(0);
    this.#askAgainAt = 0;
    this.usedAt = this.contactAt = this.lookedAt = time;
  }

  /** Whether so little is held, and so much left, that others can do without it. */
  get isModest(): boolean {
    return this.held <= this.#little && this.rest * 2 >= this.#limit;
  }

  /** Whether it is spent so slowly that more of it need not be asked for at once. */
  isLeisurely(time: number): boolean {
    return this.isModest && time - this.contactAt >= lasting.most;
  }

  /** Whether more should be had before what is held has run out. */
  get runsDry(): boolean {
    return this.rest > 0 && this.held * 2 <= this.#block;
  }

  /** Whether it is certain enough that nobody holds anything any more. */
  isSpent(time: number): boolean {
    if (this.#refusedSince === undefined || this.held > 0) return false;
    return this.#hadAll || time - this.#refusedSince >= grace;
  }

  get isRefused(): boolean {
    return this.#refusedSince !== undefined;
  }

  /** Whether it is time to ask the store, which had nothing left, once more. */
  mayAsk(time: number): boolean {
    return time >= this.#askAgainAt || time >= this.resetAt;
  }

  /** How much to ask for now: what is waited for, and a block that will last a while. */
  wish(time: number): number {
    const isOver = time >= this.resetAt;
    const lasted = time - this.contactAt;
    const longest = this.#block <= this.#little && this.isModest ? lasting.mostOfLittle : lasting.most;
    if (!isOver && lasted < lasting.least) this.#block *= 2;
    else if (!isOver && lasted > longest) this.#block /= 2;
    const rest = isOver ? this.#limit : this.rest;
    this.#block = Math.ceil(Math.max(1, Math.min(this.#block, rest / modesty)));
    return (
      (isOver ? 0 : this.debt) +
      this.waiting.length +
      Math.max(this.#block - (isOver ? 0 : this.held), this.waiting.length > 0 ? 0 : 1)
    );
  }

  /** Takes what the store has handed out, and serves whoever waits, as far as it goes. */
  receive(state: State, granted: number, time: number): void {
    this.learn(state, time);
    this.held += granted;
    this.#mine += granted;
    const settled = Math.min(this.debt, this.held);
    this.held -= settled;
    // For what was too much already there is nothing left.
    this.debt = state.rest === 0 ? 0 : this.debt - settled;
    const served = this.waiting.splice(0, this.held);
    for (const { resolve } of served) resolve(this.spend(time));
    if (granted > 0 && this.waiting.length === 0) {
      this.#refusedSince = undefined;
      this.#pause = pauses.first;
    } else if (this.held === 0 && state.rest === 0) this.#refuse(time);
  }

  /** @returns how much of it is to be given back: all, or what is too much for the pace of late */
  spare(isSilent: boolean): number {
    if (isSilent) return this.held;
    this.#block = Math.ceil(this.#block / 2);
    return Math.max(0, this.held - this.#block);
  }

  giveBack(count: number): void {
    this.held -= count;
    this.returning += count;
  }

  /** @param state undefined when the window is there no more, or it is not known what became of it */
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

  /** What was seen of the window that is known; of another, the next lease will tell. */
  see({ resetAt, rest }: State): void {
    if (resetAt === this.resetAt) this.rest = rest;
  }

  fail(error: unknown): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  /** Whoever waits is served as if this process were the only one. */
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
    this.#refusedSince = undefined;
    this.#pause = pauses.first;
  }

  #refuse(time: number): void {
    this.#refusedSince ??= time;
    this.#askAgainAt = time + this.#pause;
    if (!this.isSpent(time)) return;
    this.#pause = Math.min(this.#pause * 2, pauses.longest);
    for (const { resolve } of this.waiting.splice(0)) resolve(this.allowance(false, time));
  }

  /** Then no other process can hold anything. */
  get #hadAll(): boolean {
    return this.returning === 0 && this.#mine >= this.#limit - this.rest;
  }
}
