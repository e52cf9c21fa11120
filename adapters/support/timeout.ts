/**
 * What a promise comes to, or something else when that takes too long. The promise goes on, and nobody hears of it.
 * @param milliseconds none left, or less than that, is as good as one
 */
export const withTimeout = async <T, Other>(
  milliseconds: number,
  promise: Promise<T>,
  otherwise: Other,
): Promise<T | Other> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Other>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 1), otherwise);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
