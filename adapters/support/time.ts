/**
 * Waits of adapters and commands. They call the global timers when they are called, so that a test that replaces those
 * reaches every wait. A function imported from `node:timers/promises` would go on with the real time.
 */

interface SleepOptions {
  /** Ends the wait early. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the wait keeps the process alive. Default: true. */
  readonly ref?: boolean;
}

/**
 * Waits so many milliseconds.
 * @throws the signal's reason when it is aborted before
 */
export const sleep = (milliseconds: number, { signal, ref = true }: SleepOptions = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', abort, { once: true });
  });

/** Waits until the event loop has handled the events that are ready now. */
export const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
