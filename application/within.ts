/** What a promise comes to, or something else when that takes too long. The promise goes on, and nobody hears of it. */
export const within = async <T, Other>(
  milliseconds: number,
  promise: Promise<T>,
  otherwise: Other,
): Promise<T | Other> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Other>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
