interface QueueStats {
  /** How many wait for their turn. */
  readonly waiting: number;
  /** How many have been served since the start. */
  readonly served: number;
}

/** Two samples further apart than this say nothing about throughput, because the queue may have been empty. In milliseconds. */
const maxSampleGapMs = 250;

/**
 * Estimates the delay of a new arrival: queue length times service time (Little's law).
 *
 * The service time is measured over those that wait at the time of a sample, until all of them are served. Until then the time
 * elapsed is a lower bound: several are served at once, so a while without progress means little.
 * @returns a function that samples the queue and returns the delay in milliseconds
 */
export const estimateQueueDelay = (stats: () => QueueStats): (() => number) => {
  let serviceTimeMs = 0;
  let startedAt = 0;
  let servedAtStart = 0;
  let waitingAtStart = 0;
  let sampledAt = 0;

  return () => {
    const { waiting, served } = stats();
    if (waiting === 0 && waitingAtStart === 0) return 0;
    const now = performance.now();
    const done = served - servedAtStart;
    if (done > 0 && now - sampledAt > maxSampleGapMs) waitingAtStart = 0;
    sampledAt = now;
    if (waitingAtStart > 0) {
      if (done >= waitingAtStart) {
        serviceTimeMs = (now - startedAt) / done;
        waitingAtStart = 0;
      } else serviceTimeMs = Math.max(serviceTimeMs, (now - startedAt) / waitingAtStart);
    }
    if (waitingAtStart === 0) {
      startedAt = now;
      servedAtStart = served;
      waitingAtStart = waiting;
    }
    return waiting * serviceTimeMs;
  };
};
