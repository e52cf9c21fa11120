import { sleep } from '#adapters/support/time.ts';
import type { NumberingObserver } from '#application/events/numbering-observer.ts';
import type { NumberEvents } from '#application/ports/events.ts';

/** How long events of other units of work are waited for, in milliseconds: they are numbered together. */
const delayMs = 10;

/** How often it queries for events whose process died before it has numbered them, in milliseconds. */
const pollMs = 1_000;

interface Options {
  /** Numbers a batch of events, as a store does. */
  readonly numberEvents: NumberEvents;
  /** Called when events were numbered, with how many. */
  readonly onNumbered?: (count: number) => void;
  readonly observer?: NumberingObserver;
  readonly report: (error: unknown) => void;
}

export interface EventNumbering {
  /** Reports that this process has committed events. */
  wake(): void;
  /**
   * Numbers the events that have no number yet, and stops. What cannot be numbered now is not reported: any other process numbers it, or the next to start.
   * So it may be that the store is closed meanwhile.
   */
  stop(): Promise<void>;
}

/**
 * Numbers events soon after their commit, one batch at a time. Every process does it for its own events, and now and then for those of
 * all others.
 */
export const startEventNumbering = ({
  numberEvents,
  onNumbered = () => undefined,
  observer = { numbered: () => undefined, waiting: () => undefined },
  report,
}: Options): EventNumbering => {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let waitingSince: number | undefined;
  let isShown = false;
  let isStopping = false;

  const show = (since: number | undefined): void => {
    isShown = since !== undefined;
    observer.waiting(since);
  };

  const numberAll = async (): Promise<void> => {
    // What is committed from now on may be in a later batch only.
    const since = waitingSince;
    waitingSince = undefined;
    try {
      for (let hasMore = true; hasMore; ) {
        const batch = await numberEvents();
        if (batch.numbered > 0) {
          onNumbered(batch.numbered);
          observer.numbered(batch.numbered, since === undefined ? undefined : performance.now() - since);
        }
        ({ hasMore } = batch);
      }
      show(waitingSince);
    } catch (error) {
      waitingSince = since ?? waitingSince;
      // The next poll tries again.
      if (!isStopping) report(error);
    }
  };

  const run = async (): Promise<void> => {
    while (isWanted) {
      await sleep(delayMs);
      isWanted = false;
      await numberAll();
    }
    running = undefined;
  };

  const start = (): void => {
    isWanted = true;
    running ??= run();
  };

  const wake = (): void => {
    waitingSince ??= performance.now();
    if (!isShown) show(waitingSince);
    start();
  };

  const poll = setInterval(start, pollMs);
  poll.unref();

  return {
    wake,
    stop: async () => {
      isStopping = true;
      clearInterval(poll);
      await running;
      await numberAll();
    },
  };
};
