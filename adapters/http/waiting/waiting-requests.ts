import type { FeedWatch, Subscription } from '#application/events/feed-watch.ts';
import type { Caller } from '#application/preconditions.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { Awaited } from '../request/awaited.ts';
import type { ApiResponse, Context } from '../request/context.ts';
import { onFinished, receivedAt, setWaiting } from '../request/node-response.ts';
import type { Attempted } from './attempt.ts';

/** The longest time between two checks of the credential of a request that waits, in milliseconds. */
const recheckMs = 4_000;

/** By how much each pause between two attempts is longer than the one before. */
const pauseGrowth = 1.5;

/** What a request that waits is made of. */
interface Attempts {
  /** Executes the request. @param awaited what the first attempt waits for; undefined for that one */
  readonly attempt: (caller: Caller, awaited?: Awaited) => Promise<Attempted>;
  /** Checks the credential, its role and its scopes again. @returns undefined for a 401 @throws DomainError 'forbidden' */
  readonly check: () => Promise<Caller | undefined>;
  readonly unauthorized: () => ApiResponse;
}

interface Options {
  /** The maximum of requests that wait in this process. */
  readonly max: number;
  readonly feed: Pick<FeedWatch, 'last' | 'subscribe'>;
  /** Aborts when the shutdown begins: then every wait ends. */
  readonly draining: AbortSignal;
}

/**
 * Lets requests wait for a change, as their clients prefer (`Prefer: wait`, RFC 7240). A request that waits holds no connection of the
 * database and is not in flight; its deadline begins when the wait ends.
 */
export class WaitingRequests {
  readonly #slots: WaitSlots;
  readonly #feed: Options['feed'];
  readonly #draining: AbortSignal;
  #count = 0;

  constructor({ max, feed, draining }: Options) {
    this.#slots = new WaitSlots(max);
    this.#feed = feed;
    this.#draining = draining;
  }

  /** How many requests wait now. */
  get count(): number {
    return this.#count;
  }

  /**
   * Responds at once where there is nothing to wait for, or no room. Otherwise it waits for a change, or for the time to pass.
   * @throws what the last attempt throws
   */
  async respond(context: Context, caller: Caller, seconds: number, attempts: Attempts): Promise<ApiResponse> {
    const after = this.#feed.last;
    const { end, awaited } = await attempts.attempt(caller);
    if (awaited === undefined) return applied(context, end, seconds);
    if (this.#draining.aborted || !this.#slots.acquire(caller.keyId)) return end();
    const subscription = this.#feed.subscribe(after, awaited.concerns);
    try {
      return await this.#wait(context, { seconds, ...attempts, awaited, end }, subscription);
    } finally {
      subscription.end();
      this.#slots.release(caller.keyId);
    }
  }

  /** @returns where the client has disconnected, what no one gets */
  async #wait(
    context: Context,
    { seconds, awaited, end, attempt, check, unauthorized }: Wait,
    subscription: Subscription,
  ): Promise<ApiResponse> {
    const { unannounced } = awaited;
    const until = performance.now() + seconds * 1_000;
    const pause = this.#pauses(context, subscription);
    let pauseMs = unannounced?.firstPauseMs ?? recheckMs;
    let checkedAt = performance.now();
    for (;;) {
      await pause(Math.max(0, Math.min(pauseMs, until - performance.now())));
      if (isGone(context)) return end();
      const isOver = this.#draining.aborted || performance.now() >= until;
      const isDue = isOver || (await unannounced?.hasChanged(context.state.deadline)) !== false;
      pauseMs = Math.min(pauseMs * pauseGrowth, unannounced?.maxPauseMs ?? recheckMs);
      if (!isDue && performance.now() < checkedAt + recheckMs) continue;
      const caller = await check();
      if (caller === undefined) return unauthorized();
      checkedAt = performance.now();
      if (!isDue) continue;
      const next = await attempt(caller, awaited);
      if (isOver || next.awaited === undefined) return applied(context, next.end, seconds);
    }
  }

  /**
   * Makes the function that pauses a request until the feed has changed, its client has disconnected, the process shuts down, or the
   * time has passed.
   */
  #pauses({ res, state }: Context, subscription: Subscription): (milliseconds: number) => Promise<void> {
    const timeMs = state.deadline - receivedAt(res);
    let stop = new AbortController();
    const abort = (): void => stop.abort();
    onFinished(res, abort);
    return async (milliseconds) => {
      stop = new AbortController();
      const timer = setTimeout(abort, milliseconds);
      this.#draining.addEventListener('abort', abort);
      const begun = performance.now();
      state.waitsSince = begun;
      this.#count += 1;
      setWaiting(res, true);
      state.deadline = Number.POSITIVE_INFINITY;
      if (!this.#draining.aborted && !isGone({ res })) await subscription.changed(stop.signal);
      const now = performance.now();
      state.waitsSince = undefined;
      state.waitedMs += now - begun;
      state.deadline = now + timeMs;
      setWaiting(res, false);
      this.#count -= 1;
      this.#draining.removeEventListener('abort', abort);
      clearTimeout(timer);
    };
  }
}

interface Wait extends Attempts {
  readonly seconds: number;
  readonly awaited: Awaited;
  /** What the first attempt has ended with. */
  readonly end: Attempted['end'];
}

/** The response, or the error, with the preference that was honoured (RFC 7240 section 3). */
const applied = ({ state }: Context, end: Attempted['end'], seconds: number): ApiResponse => {
  state.headers.push('Preference-Applied', `wait=${seconds}`);
  return end();
};

/** Whether the client has disconnected, or has got a timeout response. */
const isGone = ({ res }: Pick<Context, 'res'>): boolean => res.headersSent || res.destroyed;

/** The maximum number of requests of one credential that wait in a process. */
const maxWaitingPerCredential = 20;

/** Bounds the requests that wait at the same time in this process. */
class WaitSlots {
  readonly #max: number;
  readonly #byKey = new Map<ApiKeyId, number>();
  #count = 0;

  /** @param max of all requests in this process */
  constructor(max: number) {
    this.#max = max;
  }

  /** @returns whether there was room; then `release` gives it back */
  acquire(keyId: ApiKeyId): boolean {
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (this.#count >= this.#max || ofKey >= maxWaitingPerCredential) return false;
    this.#count += 1;
    this.#byKey.set(keyId, ofKey + 1);
    return true;
  }

  release(keyId: ApiKeyId): void {
    const left = (this.#byKey.get(keyId) ?? 0) - 1;
    this.#count -= 1;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
  }
}
