import type { RequestListener, ServerResponse } from 'node:http';
import { estimateQueueDelay } from '#adapters/support/queue-delay.ts';
import { onResponded, onWaiting } from '../../request/node-response.ts';

/** The resource that is overloaded. */
export type Overload = 'in-flight' | 'event-loop' | 'store';

export interface OverloadLimits {
  /** The maximum of requests in flight. */
  readonly maxInFlight: number;
  /** The estimated time that a new request would wait for the store, in milliseconds. */
  readonly storeDelay: (purpose: 'read' | 'change') => number;
  /** Called for each request that is rejected because of overload. */
  readonly onShed?: (overload: Overload) => void;
}

/**
 * A request that would wait longer than this, in the event loop and for the store, is rejected. A burst may wait longer than what
 * lasts, because it ends by itself (controlled delay: https://queue.acm.org/detail.cfm?id=2839461).
 */
const maxDelayMs = { burst: 200, lasting: 100 };

/** How long many requests in flight count as a burst, in milliseconds. */
const maxBurstMs = 500;

/** With fewer requests in flight, the next ones are a new burst. */
const calmBelow = 32;

/** With fewer requests in flight, none is rejected for its delay: a store may stall for a moment. */
const neverShedBelow = 128;

/** How long requests are started in one turn. Node accepts one connection a turn, so turns are short while connections arrive. */
const timeSliceMs = { usual: 8, accepting: 2 };

/** Once a turn has read requests for this long, each further one lets a queued one start: reading would starve them otherwise. */
const maxReadingMs = 20;

/**
 * Admission control: rejects a request that would wait for too long behind the others, and starts the rest in their order.
 *
 *     arrives ─┬─ in time ──> queued ─┬─ time slice, at once or later ─> in progress ──> response
 *              │                      └─ client disconnects ───────────> 499 in the log
 *              └─ too late ─> rejected ── budget, or half a second ─────────────────────> 503
 *
 * @param handle starts a request
 * @param onAbandoned called for each request whose client disconnects in the queue
 */
export const admissionControl = (
  handle: RequestListener,
  { maxInFlight, storeDelay }: OverloadLimits,
  onAbandoned: RequestListener,
) => {
  const queue: ServerResponse[] = [];
  let started = 0;
  let inFlight = 0;
  let isAccepting = false;
  /** When fewer than `calmBelow` requests were in flight last. */
  let calmAt = 0;
  /** When this turn read its first request, and when its time slice ends; 0 before that. */
  let readingSince = 0;
  let sliceEnds = 0;
  const queueDelay = estimateQueueDelay(() => ({ waiting: queue.length, served: started }));

  const startNext = (): void => {
    const response = queue.shift();
    if (response === undefined) return;
    started += 1;
    if (response.destroyed) onAbandoned(response.req, response);
    // The shutdown may have aborted it in the queue.
    else if (!response.headersSent) handle(response.req, response);
  };

  /** Whether the time slice of this turn lasts; the first call in a turn begins it. */
  const hasTime = (): boolean => {
    const now = performance.now();
    if (sliceEnds === 0) {
      sliceEnds = now + (isAccepting ? timeSliceMs.accepting : timeSliceMs.usual);
      isAccepting = false;
      readingSince = 0;
      // Runs in the next turn, before the other immediates.
      setImmediate(() => {
        sliceEnds = 0;
      });
    }
    return now < sliceEnds;
  };

  /** Each request has an immediate of its own, so that the time slice includes all that follows from a start at once. */
  const startInTime = (): void => {
    if (hasTime()) startNext();
    else if (queue.length > 0) setImmediate(startInTime);
  };

  const release = (): void => {
    inFlight -= 1;
  };

  const countWaiting = (isWaiting: boolean): void => {
    inFlight += isWaiting ? -1 : 1;
  };

  return {
    /** Call this for each accepted connection. */
    connected: (): void => {
      isAccepting = true;
    },

    /** Call this when a request arrives. @returns why it must be rejected, if it must */
    check: (method: string | undefined): Overload | undefined => {
      const now = performance.now();
      if (readingSince === 0) readingSince = now;
      else if (now - readingSince > maxReadingMs) startNext();
      if (inFlight >= maxInFlight) return 'in-flight';
      if (inFlight < calmBelow) calmAt = now;
      if (inFlight < neverShedBelow) return undefined;
      const store = storeDelay(isRead(method) ? 'read' : 'change');
      const eventLoop = queueDelay();
      const isBurst = now - calmAt < maxBurstMs;
      if (store + eventLoop <= maxDelayMs[isBurst ? 'burst' : 'lasting']) return undefined;
      return store > eventLoop ? 'store' : 'event-loop';
    },

    /** Starts a request, or queues it until there is time for it. */
    admit: (response: ServerResponse): void => {
      inFlight += 1;
      onResponded(response, release);
      onWaiting(response, countWaiting);
      queue.push(response);
      // A short body arrives with the next read of the socket, so a change starts in the next turn.
      if (isRead(response.req.method) && queue.length === 1 && hasTime()) startNext();
      else setImmediate(startInTime);
    },
  };
};

const isRead = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
