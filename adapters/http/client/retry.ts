import { PorticoError } from './error.ts';

interface Trying {
  /** From the first attempt, for how long a next one may begin. */
  readonly patienceMilliseconds: number;
  readonly signal: AbortSignal | undefined;
}

/** The longest pause that the client makes of its own accord. */
const longestPause = 5_000;

/** Timers take no more than this, and fire at once instead. */
const longestTimer = 2 ** 31 - 1;

/** The pause after the first attempt, at the most; it doubles with each. */
const firstPause = 100;

/**
 * Tries until the answer is final or patience is at its end; then the last answer stands. Pauses grow, are random so that
 * many clients do not come back together, and are never shorter than the server asks for.
 * @throws the signal's reason, once it is aborted
 */
export const patiently = async <T>(
  attempt: () => Promise<T | PorticoError>,
  { patienceMilliseconds, signal }: Trying,
): Promise<T | PorticoError> => {
  const begun = performance.now();
  for (let attempts = 0; ; attempts += 1) {
    const answer = await attempt();
    if (!(answer instanceof PorticoError) || answer.isFinal) return answer;
    const ownPause = Math.random() * Math.min(firstPause * 2 ** attempts, longestPause);
    const pause = Math.min((answer.retryAfterSeconds ?? 0) * 1_000 + ownPause, longestTimer);
    if (performance.now() - begun + pause > patienceMilliseconds) return answer;
    await waitFor(pause, signal);
  }
};

const waitFor = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
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
