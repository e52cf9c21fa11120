/** A response that is complete and waits to be written to its socket. */
interface PendingResponse {
  /** Hands the response to the system. */
  flush(): void;
}

/** A batch of this size is written at once, so that a long turn does not hold back responses. */
const maxBatchSize = 64;

let pending: PendingResponse[] = [];

/** Writes all pending responses now. */
export const flushPending = (): void => {
  const batch = pending;
  pending = [];
  for (const response of batch) response.flush();
};

/**
 * Write coalescing: pending responses are written together at the end of this turn of the event loop, or once a batch is
 * full. Each write wakes its client; a client that an earlier write of the batch has woken costs no further wake-up.
 */
export const flushAtEndOfTurn = (response: PendingResponse): void => {
  if (pending.length === 0) setImmediate(flushPending);
  pending.push(response);
  if (pending.length === maxBatchSize) flushPending();
};
