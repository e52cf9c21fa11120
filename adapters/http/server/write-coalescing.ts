/** A response of Node whose headers are set. */
interface Endable {
  end(body: string | undefined): unknown;
}

interface PendingEnd {
  readonly response: Endable;
  readonly body: string | undefined;
}

/** A batch of this size is written at once, so that a long turn does not hold back responses. */
const maxBatchSize = 64;

let pending: PendingEnd[] = [];

const flush = (): void => {
  const batch = pending;
  pending = [];
  for (const { response, body } of batch) response.end(body);
};

/**
 * Write coalescing: ends the responses of one turn of the event loop together at its end, or once a batch is full. Each write
 * wakes its client; a client that an earlier write of the batch has woken costs no further wake-up.
 */
export const endWithTurn = (response: Endable, body: string | undefined): void => {
  if (pending.length === 0) setImmediate(flush);
  pending.push({ response, body });
  if (pending.length === maxBatchSize) flush();
};
