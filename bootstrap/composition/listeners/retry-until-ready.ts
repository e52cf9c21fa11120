import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import { sleep } from '#adapters/support/time.ts';
import { UnavailableError } from '#application/errors.ts';

/** Runs a step of the start that needs the database. */
export type RetryUntilReady = <T>(step: () => Promise<T>) => Promise<T>;

/** How long a start waits for a database that was reached but does not serve yet, in milliseconds. */
const defaultTimeoutMs = 30_000;

const retryIntervalMs = 250;

/**
 * Makes a function that runs the steps of one start, each again while the database is not ready. A step that fails
 * must release what it has acquired.
 * @param onNotReady called before the first retry of all steps, with the reason
 * @throws ApplicationError 'unavailable' with the reason, when the database is not ready in time; any other error at once
 */
export const retryUntilReady = (
  { notReadyReason }: Pick<StoreKind, 'notReadyReason'>,
  onNotReady: (reason: string) => void,
  timeoutMs = defaultTimeoutMs,
): RetryUntilReady => {
  let isReported = false;
  return async (step) => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      try {
        return await step();
      } catch (error) {
        const reason = notReadyReason?.(error);
        if (reason === undefined) throw error;
        if (performance.now() >= deadline) throw notReady(reason, timeoutMs, error);
        if (!isReported) onNotReady(reason);
        isReported = true;
      }
      await sleep(retryIntervalMs);
    }
  };
};

const notReady = (reason: string, timeoutMs: number, cause: unknown): UnavailableError => {
  const seconds = Math.round(timeoutMs / 1_000);
  const message = `It was not ready within ${seconds} seconds. ${reason}`;
  return new UnavailableError('database-unavailable', new Error(message, { cause }));
};
