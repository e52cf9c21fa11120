import { setTimeout as pause } from 'node:timers/promises';

const firstPauseMs = 10;
const longestPauseMs = 200;

/**
 * Polls until the value satisfies the condition, at longer and longer intervals: a poll is often a whole request, and many tests
 * poll beside each other.
 * @throws if that takes longer than `timeoutMs`
 */
export const until = async <T>(
  read: () => Promise<T>,
  condition: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 1.5 * pauseMs)) {
    const response = await read();
    if (condition(response)) return response;
    if (performance.now() > deadline)
      throw new Error(`The condition does not hold: ${JSON.stringify(response)}`);
    await pause(pauseMs);
  }
};
