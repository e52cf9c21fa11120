import { PorticoError } from './error.ts';

interface RetryOptions {
  /** From the first attempt, for how long a next one may begin. */
  readonly retryForMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The longest pause that the client makes of its own accord. */
const maxBackoffMs = 5_000;

/** Timers take no more than this, and fire at once instead. */
const maxTimerMs = 2 ** 31 - 1;

/** The pause after the first attempt, at the most; it doubles with each. */
const initialBackoffMs = 100;

/**
 * Tries until the answer is final or patience is at its end; then the last answer stands. Pauses grow, are random so that
 * many clients do not come back together, and are never shorter than the server asks for.
 * @throws the signal's reason, once it is aborted
 */
export const withRetries = async <T>(
  attempt: () => Promise<T | PorticoError>,
  { retryForMs: patienceMilliseconds, signal }: RetryOptions,
): Promise<T | PorticoError> => {
  const begun = performance.now();
  for (let attempts = 0; ; attempts += 1) {
    const answer = await attempt();
    if (!(answer instanceof PorticoError) || answer.isFinal) return answer;
    const backoffMs = Math.random() * Math.min(initialBackoffMs * 2 ** attempts, maxBackoffMs);
    const delayMs = Math.min((answer.retryAfterSeconds ?? 0) * 1_000 + backoffMs, maxTimerMs);
    if (performance.now() - begun + delayMs > patienceMilliseconds) return answer;
    await sleep(delayMs, signal);
  }
};

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
