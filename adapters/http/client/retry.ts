import { PorticoError } from './error.ts';

interface RetryOptions {
  /** Milliseconds after the start of the call within which another attempt may start, by the error of the last. */
  readonly retryForMs: (error: PorticoError) => number;
  /** The maximum duration of the call in milliseconds. */
  readonly totalMs: number;
  readonly onRetry: ((error: PorticoError, attempt: number, delay: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Makes one attempt. @param remainingMs the milliseconds until the call must end */
export type Attempt<T> = (remainingMs: number) => Promise<T | PorticoError>;

/** Limits the exponential backoff. Retry-After may ask for more. */
const maxBackoffMs = 5_000;

/** A timer with a longer delay fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** The maximum delay after the first attempt. It doubles with each attempt. */
const initialBackoffMs = 100;

/**
 * Retries with exponential backoff and full jitter, so that many clients do not return at once. No delay is shorter than
 * Retry-After. The last response is returned when it is final, or when another attempt would start too late.
 * @throws the signal's reason, once it is aborted, and what `onRetry` throws
 */
export const withRetries = async <T>(
  attempt: Attempt<T>,
  { retryForMs, totalMs, onRetry, signal }: RetryOptions,
): Promise<T | PorticoError> => {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  for (let attempts = 0; ; attempts += 1) {
    const response = await attempt(totalMs - elapsedMs());
    if (!(response instanceof PorticoError) || response.isFinal) return response;
    const backoffMs = Math.random() * Math.min(initialBackoffMs * 2 ** attempts, maxBackoffMs);
    const delayMs = Math.min((response.retryAfterSeconds ?? 0) * 1_000 + backoffMs, maxTimerMs);
    if (elapsedMs() + delayMs > Math.min(retryForMs(response), totalMs)) return response;
    onRetry?.(response, attempts + 1, delayMs);
    await sleep(delayMs, signal);
  }
};

/** @throws the signal's reason */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const cancel = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', cancel, { once: true });
  });
