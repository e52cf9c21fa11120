export interface JobResult {
  /** How many items were processed one by one. Rows that are deleted in bulk are not counted. */
  readonly done: number;
  /** Why the other items failed. A later run retries them. */
  readonly errors: readonly unknown[];
}

/** A job that runs at intervals. Once the signal is aborted it stops early, and a later run does the rest. */
export type Job = (signal?: AbortSignal) => Promise<JobResult>;

/** How many items are processed concurrently, so that a slow provider does not delay a whole batch. */
const maxConcurrency = 8;

/** Runs an action for each item with bounded concurrency. An error is collected and stops no other item. */
export const runEach = async <T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<JobResult> => {
  const errors: unknown[] = [];
  let done = 0;
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (signal?.aborted) break;
      try {
        await act(item);
        done += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrency, items.length) }, work));
  return { done, errors };
};
