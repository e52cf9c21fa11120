import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isHttp2Response, onFinished, onResponded } from '../node-response.ts';
import { FairShare } from './fair-share.ts';

/** The resource that is overloaded. */
export type Overload = 'in-flight' | 'event-loop' | 'store';

/** What a request does, judged by its method. */
type Purpose = 'read' | 'change';

const purposeOf = (method: string | undefined): Purpose =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'change';

/** When the current overload period began, and when overload was last observed. */
interface OverloadPeriod {
  since: number;
  at: number;
}

const noOverload = (): OverloadPeriod => ({ since: 0, at: Number.NEGATIVE_INFINITY });

export interface OverloadLimits {
  /** The maximum of requests in flight. */
  readonly maxInFlight: number;
  /** The estimated time that a new request would wait for the store, in milliseconds. */
  readonly storeDelay: (purpose: Purpose) => number;
  /** Called for each request that is rejected because of overload. */
  readonly onShed?: (reason: Overload) => void;
}

/** Bounds how long requests are started in one turn of the event loop: requests that have arrived wait unread meanwhile. */
const timeSliceMs = 8;

/** Bounds how many queued requests are started in one turn. */
const maxPerTurn = 64;

/**
 * While connections arrive, requests pause for this long after each turn that started one. Node accepts one connection a turn,
 * and clients that wait to be accepted are in no queue that can be measured.
 */
const acceptPauseMs = 6;

/** Above this estimated queue delay, new requests are rejected. */
const maxQueueDelayMs = 150;

/** Above this estimated delay of the store, new requests are rejected. Lower, because a payment waits for the store repeatedly. */
const maxStoreDelayMs = 70;

/** With fewer requests in flight none is rejected for its delay. */
const neverShedBelow = 32;

/** With more requests in flight a delay rejects at once; with fewer, only after `sheddingDelayMs`, so that a burst is served. */
const alwaysShedAbove = 128;

/** How long overload must last before requests are rejected. */
const sheddingDelayMs = 500;

interface QueuedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether it has started, or its client has disconnected. */
  isDone: boolean;
}

/**
 * Admission control: `check` decides whether a request is shed, because those before it would delay it for too long. Requests
 * start in a time slice of each turn; the others are queued, and Little's law gives their delay: queue length times service time.
 */
export class AdmissionControl {
  readonly #handle: RequestListener;
  readonly #limits: OverloadLimits;
  readonly #onAbandoned: RequestListener;
  #inFlight = 0;
  /** When the time slice of this turn began; 0 before it has. */
  #turnBegan = 0;
  /** Reads may be in time where changes are not. */
  readonly #overload = { read: noOverload(), change: noOverload() };
  readonly #queue: QueuedRequest[] = [];
  /** The time between the starts of two queued requests, in milliseconds; 0 while all queued requests can start. */
  #serviceTime = 0;
  /** When its measurement began, how many requests have started since, and whether there was no time for more. */
  #servingSince = 0;
  #served = 0;
  #isFull = false;
  /** How many queued requests are still to start in the coming turn. */
  #scheduled = 0;
  readonly #fairShare = new FairShare();
  /** Whether a connection has been accepted since requests were last scheduled. */
  #hasConnected = false;
  /** When the last turn ended that started a request. */
  #lastBegan = 0;

  /**
   * @param handle starts a request
   * @param onAbandoned called for each request whose client disconnects in the queue
   */
  constructor(handle: RequestListener, limits: OverloadLimits, onAbandoned: RequestListener) {
    this.#handle = handle;
    this.#limits = limits;
    this.#onAbandoned = onAbandoned;
  }

  /** Call this when a request arrives; a queued request may start first. @returns why the request must be rejected, if it must */
  check(method: string | undefined): Overload | undefined {
    if (this.#queue.length > 0 && this.#fairShare.isDue()) this.#start(this.#queue.shift());
    if (this.#inFlight >= this.#limits.maxInFlight) return 'in-flight';
    if (this.#inFlight < neverShedBelow) return undefined;
    const purpose = purposeOf(method);
    const period = this.#overload[purpose];
    const reason = this.#overloaded(purpose);
    if (reason === undefined) {
      period.at = Number.NEGATIVE_INFINITY;
      return undefined;
    }
    const now = performance.now();
    // Without observations for so long, the overload may have ended in between.
    if (now - period.at > sheddingDelayMs) period.since = now;
    period.at = now;
    return this.#inFlight > alwaysShedAbove || now - period.since > sheddingDelayMs ? reason : undefined;
  }

  /** The resource whose estimated delay exceeds its limit. */
  #overloaded(purpose: Purpose): Overload | undefined {
    if (this.#queue.length * this.#serviceTime > maxQueueDelayMs) return 'event-loop';
    return this.#limits.storeDelay(purpose) > maxStoreDelayMs ? 'store' : undefined;
  }

  /** Call this for each accepted connection. */
  connected(): void {
    this.#hasConnected = true;
  }

  /** Starts a request, or queues it until there is time for it. */
  admit(request: IncomingMessage, response: ServerResponse): void {
    this.#inFlight += 1;
    onResponded(response, this.#release);
    // A short body arrives with the next read of the socket; after that it need not be awaited as a stream. On HTTP/2 it is a stream.
    const mayStart = purposeOf(request.method) === 'read' || isHttp2Response(response);
    if (mayStart && this.#queue.length === 0 && this.#hasTime()) {
      this.#handle(request, response);
      return;
    }
    const queued = { request, response, isDone: false };
    this.#queue.push(queued);
    onFinished(response, () => this.#abandon(queued));
    if (this.#scheduled === 0) this.#schedule();
  }

  #schedule(): void {
    // A single queued request delays no connection.
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

  /** Leaves a turn to new connections. */
  readonly #skipTurn = (): void => this.#schedule();

  /** Each request has an immediate of its own, so that the time slice includes all that follows from its start at once. */
  readonly #startNext = (): void => {
    this.#scheduled -= 1;
    const hasTime = this.#hasTime();
    this.#isFull ||= !hasTime;
    const next = hasTime ? this.#queue.shift() : undefined;
    if (this.#scheduled === 0 && this.#queue.length > 0) this.#schedule();
    this.#start(next);
  };

  #start(next: QueuedRequest | undefined): void {
    if (next === undefined) return;
    this.#served += 1;
    if (next.isDone) return;
    next.isDone = true;
    // The shutdown may have aborted it in the queue.
    if (!next.response.headersSent) this.#handle(next.request, next.response);
  }

  #abandon(queued: QueuedRequest): void {
    if (queued.isDone) return;
    queued.isDone = true;
    if (!queued.response.headersSent) this.#onAbandoned(queued.request, queued.response);
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

  /** Whether the time slice of this turn lasts; the first call in a turn begins it. */
  #hasTime(): boolean {
    const now = performance.now();
    if (this.#turnBegan !== 0) return now - this.#turnBegan < timeSliceMs;
    this.#turnBegan = now;
    setImmediate(this.#endTurn);
    return true;
  }
}
