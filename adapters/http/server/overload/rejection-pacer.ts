/** Rejections get this share of the time. Reading the rejected requests needs about as much again. */
const timeShare = 1 / 6;

/** Unused time is kept, and overspent time is owed, up to this many milliseconds. */
const maxBudgetMs = 10;

/** A rejection that has waited this long is sent whatever the budget. */
const maxDelayMs = 500;

const intervalMs = 5;

/**
 * Sends rejections in their order, within a time budget. Clients that are rejected at once retry at once, so delayed rejections
 * (backpressure) keep time for admitted requests.
 * @returns a function that queues a rejection
 */
export const rejectionPacer = (): ((send: () => void) => void) => {
  const queue: { readonly send: () => void; readonly since: number }[] = [];
  let budgetMs = maxBudgetMs;
  let updatedAt = 0;

  const sendSome = (): void => {
    let now = performance.now();
    budgetMs = Math.min(budgetMs + (now - updatedAt) * timeShare, maxBudgetMs);
    for (let [first] = queue; first && (budgetMs > 0 || now - first.since > maxDelayMs); [first] = queue) {
      queue.shift();
      first.send();
      const began = now;
      now = performance.now();
      budgetMs = Math.max(budgetMs - (now - began), -maxBudgetMs);
    }
    updatedAt = now;
    if (queue.length > 0) setTimeout(sendSome, intervalMs);
  };

  return (send) => {
    if (queue.length === 0) setTimeout(sendSome, intervalMs);
    queue.push({ send, since: performance.now() });
  };
};
