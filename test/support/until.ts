import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is as hoped for. @throws when that takes longer than `most` milliseconds */
export const until = async <T>(
  ask: () => Promise<T>,
  isSo: (answer: T) => boolean,
  most = 10_000,
): Promise<T> => {
  const deadline = performance.now() + most;
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Still not so: ${JSON.stringify(answer)}`);
    await pause(10);
  }
};
