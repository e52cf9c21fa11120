import { ApplicationError } from '#application/errors.ts';
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
