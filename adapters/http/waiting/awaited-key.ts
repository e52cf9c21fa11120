import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotentRequest } from '#application/ports/idempotency.ts';
import type { Awaited } from '../request/awaited.ts';

/** The pauses between two looks at a key, in milliseconds: the end of a request has an event only if it has changed something. */
const pausesMs = { first: 250, longest: 1_000 };

/** A request whose key is in progress waits for the end of the request that holds it. */
export const awaitedKey = (
  { isInProgress }: Idempotency,
  { userId, key }: Pick<IdempotentRequest, 'userId' | 'key'>,
): Awaited => ({
  concerns: ({ cause }) => cause.userId === userId && cause.idempotencyKey === key,
  unannounced: {
    firstPauseMs: pausesMs.first,
    maxPauseMs: pausesMs.longest,
    hasChanged: async (deadline) =>
      !(await isInProgress({ userId, key }, { actor: userId, deadline, readsLatest: true })),
  },
});
