interface QueueStats {
  readonly waiting: number;
  /** Since the start of the process. */
  readonly served: number;
}

/** Two samples further apart than this prove nothing about throughput: the queue may have been empty. In milliseconds. */
const maxSampleGapMs = 250;

/**
 * Estimates the delay of a new arrival by Little's law: queue length times service time. The service time is measured over all
 * that wait at a sample, until they are served. Until then the time elapsed is its lower bound.
 * @returns a function that samples the queue and returns the delay in milliseconds
 */
export const estimateQueueDelay = (stats: () => QueueStats): (() => number) => {
  let serviceTimeMs = 0;
  let sampledAt = 0;
  /** What is being measured: those that wait since a sample. */
  let measured = { since: 0, served: 0, waiting: 0 };

  return () => {
    const { waiting, served } = stats();
    if (waiting === 0 && measured.waiting === 0) return 0;
    const now = performance.now();
    const done = served - measured.served;
    const isStale = done > 0 && now - sampledAt > maxSampleGapMs;
    sampledAt = now;
    const isMeasured = measured.waiting > 0 && !isStale;
    const elapsed = now - measured.since;
    if (isMeasured && done < measured.waiting) {
      serviceTimeMs = Math.max(serviceTimeMs, elapsed / measured.waiting);
    } else {
      if (isMeasured) serviceTimeMs = elapsed / done;
      measured = { since: now, served, waiting };
    }
    return waiting * serviceTimeMs;
  };
};
