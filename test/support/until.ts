import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the value satisfies the condition. @throws if that takes longer than `most` milliseconds */
export const until = async <T>(
  read: () => Promise<T>,
  condition: (value: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const response = await read();
    if (condition(response)) return response;
    if (performance.now() > deadline)
      throw new Error(`The condition does not hold: ${JSON.stringify(response)}`);
    await pause(10);
  }
};
