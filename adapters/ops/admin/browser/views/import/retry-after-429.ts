// @ts-nocheck
/** Waits as long as the server asks for when too many requests have come. */
export const sendAfter429 = async (api, signal, target, request) => {
  for (;;) {
    try {
      return await api.send(target, { ...request, signal });
    } catch (error) {
      if (error.status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds ?? 5) * 1000));
      signal.throwIfAborted();
    }
  }
};

/** So few at once that the shop does not notice. */
const maxAtOnce = 4;

/**
 * Works on items, some at once, until all are done or work throws.
 * @param isEnded ends it before the next item
 */
export const workThrough = async (items, isEnded, work) => {
  // All take from one iterator, so each item is worked on once.
  const waiting = items.values();
  let failure: unknown;
  const worker = async () => {
    for (const item of waiting) {
      if (isEnded() || failure !== undefined) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, worker));
  if (failure !== undefined && !isEnded()) throw failure;
};
