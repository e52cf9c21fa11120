/** A result, and the milliseconds that it has taken. */
export const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
  const begun = performance.now();
  const result = await work;
  return [result, performance.now() - begun];
};

/** Long enough for a request to begin to wait, in milliseconds. */
export const untilItWaits = 150;
