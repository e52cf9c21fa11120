/**
 * Waits for a promise, at most so many milliseconds. The promise itself is not cancelled, and a later rejection is ignored.
 * @param milliseconds less than 1 counts as 1
 * @returns the promise's value, or `fallback` after the timeout
 */
export const withTimeout = async <T, Fallback>(
  milliseconds: number,
  promise: Promise<T>,
  fallback: Fallback,
): Promise<T | Fallback> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Fallback>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 1), fallback);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
