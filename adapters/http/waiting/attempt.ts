import { ApplicationError } from '#application/errors.ts';
import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotentRequest } from '#application/ports/idempotency.ts';
import type { Awaited } from '../request/awaited.ts';
import type { ApiResponse } from '../request/context.ts';

/** What a request would get now. */
export interface Attempted {
  /** Returns the response, or throws the error. */
  readonly end: () => ApiResponse;
  /** What a client that prefers to wait waits for; undefined when there is nothing to wait for. */
  readonly awaited: Awaited | undefined;
}

/**
 * Executes a request that may wait.
 * @param whileInProgress what it waits for while its idempotency key is in progress
 * @throws what the execution throws, except that
 */
export const attemptOf = async (
  executing: Promise<ApiResponse>,
  whileInProgress: () => Awaited,
): Promise<Attempted> => {
  try {
    const response = await executing;
    return { end: () => response, awaited: response.awaited };
  } catch (error) {
    if (!(error instanceof ApplicationError) || error.kind !== 'key-in-progress') throw error;
    const end = () => {
      throw error;
    };
    return { end, awaited: whileInProgress() };
  }
};

/** The pauses between two reads of a key, in milliseconds: the end of a request has an event only if it has changed something. */
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
