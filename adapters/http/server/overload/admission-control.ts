import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { onEnd } from '../coalescing/coalesced-response.ts';
import { isHttp2Response } from '../http2.ts';
import { onFinished } from '../on-finished.ts';
import { FairShare } from './fair-share.ts';

/** What there is too much of. */
export type Overload = 'in-flight' | 'event-loop' | 'store';

/** What a request is for, as its method says. */
type Purpose = 'read' | 'change';

const purposeOf = (method: string | undefined): Purpose =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'change';

/** Since when there has been a delay at every look, and when that was last. */
interface Lateness {
  since: number;
  at: number;
}

const onTime = (): Lateness => ({ since: 0, at: Number.NEGATIVE_INFINITY });

export interface OverloadLimits {
  /** How many requests may be under way at once. */
  readonly maxInFlight: number;
  /** How long a request that comes now would wait for the store, in milliseconds. */
  readonly storeDelay: (purpose: Purpose) => number;
  /** Is told of each request that was refused for it. */
  readonly onShed?: (reason: Overload) => void;
}

/**
 * How long requests are begun in one turn of the event loop, in milliseconds, and how many of those that had to wait. A
 * store does much at once for less, so they are many; but whoever is to be refused waits for as long, unread.
 */
const timeSliceMs = 8;
const maxPerTurn = 64;

/**
 * Node takes one connection in a turn, however many have come. While one does come in each, nothing is begun for so many
 * milliseconds after a turn in which something was: whoever is not even connected waits longest of all, unseen.
 */
const acceptPauseMs = 6;

/** How long those who come may wait for their turn, in milliseconds. */
const maxQueueDelayMs = 150;

/** The same of the wait for the store, which a payment has more than once. */
const maxStoreDelayMs = 70;

/** So few are never too many. */
const neverShedBelow = 32;

/** So many may come all at once, and nobody behind them: they all can wait. */
const alwaysShedAbove = 128;

/** Fewer than a crowd are too many when others still come after such a time, in milliseconds. */
const sheddingDelayMs = 500;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether it has begun, or its client has left. */
  isOver: boolean;
}

/**
 * Lets requests in, and none where those that are in would be answered too late for it.
 *
 * With a store that answers at once, a request is carried out as soon as it has been read, and whoever is behind it waits
 * inside the system, unseen. So requests are begun for a short while in each turn of the event loop, and then all others
 * are read at least: each is in a queue whose length is known, or refused, some milliseconds behind its arrival. Where
 * there is room that costs whoever only reads no more than a look at the clock, and all others the wait for their body.
 */
export class AdmissionControl {
  readonly #handle: RequestListener;
  readonly #limits: OverloadLimits;
  readonly #onAbandoned: RequestListener;
  #inFlight = 0;
  /** When requests began to be carried out in this turn; 0 when none has been. */
  #turnBegan = 0;
  /** Those who read may be in time where others are not. */
  readonly #lateness = { read: onTime(), change: onTime() };
  /** Those who wait, in their order. */
  readonly #queue: Waiting[] = [];
  /**
   * How long it took from one of those who wait to the next, in milliseconds, where more of them waited than could begin;
   * 0 where all could.
   */
  #serviceTime = 0;
  /** Since when that is measured, how many have begun since, and whether somebody was left behind. */
  #servingSince = 0;
  #served = 0;
  #isFull = false;
  /** How many of them are still to begin in the turn that comes. */
  #scheduled = 0;
  /** How much of a long turn they have. */
  readonly #fairShare = new FairShare();
  /** Whether a connection has come since the last turn, and when something was begun in one. */
  #hasConnected = false;
  #lastBegan = 0;

  /** @param left told of each request whose client left before its turn came */
  constructor(handle: RequestListener, bounds: OverloadLimits, left: RequestListener) {
    this.#handle = handle;
    this.#limits = bounds;
    this.#onAbandoned = left;
  }

  /** Somebody has come with that method, and whoever waits may have their turn first. @returns why they cannot be let in */
  check(method: string | undefined): Overload | undefined {
    if (this.#queue.length > 0 && this.#fairShare.isDue()) this.#start(this.#queue.shift());
    if (this.#inFlight >= this.#limits.maxInFlight) return 'in-flight';
    if (this.#inFlight < neverShedBelow) return undefined;
    const purpose = purposeOf(method);
    const late = this.#lateness[purpose];
    const reason = this.#delay(purpose);
    if (reason === undefined) {
      late.at = Number.NEGATIVE_INFINITY;
      return undefined;
    }
    const now = performance.now();
    // Nobody has looked for so long that there may have been none in between.
    if (now - late.at > sheddingDelayMs) late.since = now;
    late.at = now;
    return this.#inFlight > alwaysShedAbove || now - late.since > sheddingDelayMs ? reason : undefined;
  }

  /** What would make whoever comes now wait for long. */
  #delay(purpose: Purpose): Overload | undefined {
    if (this.#queue.length * this.#serviceTime > maxQueueDelayMs) return 'event-loop';
    return this.#limits.storeDelay(purpose) > maxStoreDelayMs ? 'store' : undefined;
  }

  /** Somebody has connected. */
  connected(): void {
    this.#hasConnected = true;
  }

  admit(request: IncomingMessage, response: ServerResponse): void {
    this.#inFlight += 1;
    onEnd(response, this.#release);
    // Whoever brings something waits for a moment: then it has been read, and need not be waited for as a stream is, which took
    // an eighth of the time of an order. With HTTP/2 it is a stream anyway.
    const mayBegin = purposeOf(request.method) === 'read' || isHttp2Response(response);
    if (mayBegin && this.#queue.length === 0 && this.#hasTime()) {
      this.#handle(request, response);
      return;
    }
    const waiting = { request, response, isOver: false };
    this.#queue.push(waiting);
    onFinished(response, () => this.#abandon(waiting));
    if (this.#scheduled === 0) this.#schedule();
  }

  #schedule(): void {
    // One alone keeps nobody from connecting.
    const isConnecting = this.#hasConnected && this.#queue.length > 1;
    this.#hasConnected = false;
    if (isConnecting && performance.now() - this.#lastBegan < acceptPauseMs) {
      this.#scheduled = 1;
      setImmediate(this.#skipTurn);
      return;
    }
    this.#scheduled = Math.min(maxPerTurn, this.#queue.length);
    for (let count = 0; count < this.#scheduled; count += 1) setImmediate(this.#startNext);
  }

  /** A turn in which nothing begins. */
  readonly #skipTurn = (): void => this.#schedule();

  /** One after the other, each with all that follows from it at once: that is what is measured. */
  readonly #startNext = (): void => {
    this.#scheduled -= 1;
    const hasTime = this.#hasTime();
    this.#isFull ||= !hasTime;
    const next = hasTime ? this.#queue.shift() : undefined;
    if (this.#scheduled === 0 && this.#queue.length > 0) this.#schedule();
    this.#start(next);
  };

  #start(next: Waiting | undefined): void {
    if (next === undefined) return;
    this.#served += 1;
    if (next.isOver) return;
    next.isOver = true;
    // It has been answered when there was no more time.
    if (!next.response.headersSent) this.#handle(next.request, next.response);
  }

  #abandon(waiting: Waiting): void {
    if (waiting.isOver) return;
    waiting.isOver = true;
    if (!waiting.response.headersSent) this.#onAbandoned(waiting.request, waiting.response);
  }

  readonly #release = (): void => {
    this.#inFlight -= 1;
  };

  readonly #endTurn = (): void => {
    const now = performance.now();
    this.#fairShare.endTurn();
    this.#turnBegan = 0;
    this.#lastBegan = now;
    this.#isFull ||= this.#served >= maxPerTurn;
    if (!this.#isFull) this.#serviceTime = 0;
    else if (this.#servingSince > 0 && this.#served > 0)
      this.#serviceTime = (now - this.#servingSince) / this.#served;
    this.#servingSince = this.#queue.length > 0 ? now : 0;
    this.#served = 0;
    this.#isFull = false;
  };

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#turnBegan !== 0) return now - this.#turnBegan < timeSliceMs;
    this.#turnBegan = now;
    setImmediate(this.#endTurn);
    return true;
  }
}
