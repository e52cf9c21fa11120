/** A turn of the event loop must be this long before queued requests are owed a share of it. */
const gracePeriodMs = 20;

/** The queue gets this many times as much of a long turn as reading and rejecting new requests: four fifths. */
const queueWeight = 4;

/**
 * Fair share of one turn of the event loop (deficit round robin). When thousands of requests arrive in one turn, a queued one
 * starts between two arrivals while the queue is owed time: reading and rejecting would starve it otherwise.
 */
export class FairShare {
  #lastArrival = 0;
  /** The time that the queue is owed, in milliseconds; negative during the grace period. */
  #deficit = 0;
  #isQueueTurn = false;

  /** Call this when a turn of the event loop ends. */
  endTurn(): void {
    this.#lastArrival = 0;
  }

  /** Call this when a request arrives while others are queued. @returns whether a queued request is to start now */
  isDue(): boolean {
    const now = performance.now();
    if (this.#lastArrival === 0) this.#deficit = -queueWeight * gracePeriodMs;
    else this.#deficit += (now - this.#lastArrival) * (this.#isQueueTurn ? -1 : queueWeight);
    this.#lastArrival = now;
    this.#isQueueTurn = this.#deficit > 0;
    return this.#isQueueTurn;
  }
}
