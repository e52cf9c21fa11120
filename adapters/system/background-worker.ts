import { sleep } from '#adapters/support/time.ts';
import type { BackgroundJobs } from '#application/jobs/background-jobs.ts';
import { startOverlappingRuns } from './overlapping-runs.ts';

/** Bounds of the interval between two runs, whatever the configuration. */
const minIntervalMs = 250;
const maxIntervalMs = 5_000;

/** How long a stop waits for the run, and for the lease, each. A job that waits for a provider is not waited for: its own lease expires. */
const stopTimeoutMs = 2_000;

/** How often the provider is asked what became of its charges, where that is due. */
const reconcileIntervalMs = 1_000;

/** The leader lease lasts this many intervals, so another process takes over soon after its holder dies. */
const intervalsPerLease = 3;

interface Options {
  /** The unique name of this process. */
  readonly name: string;
  readonly reconcileAfterMilliseconds: number;
  readonly report: (error: unknown) => void;
}

interface BackgroundWorker {
  /**
   * Reconciles the charges that are due, because an event has just arrived. In a process without the leader lease it does nothing: the
   * holder reconciles them within `reconcileIntervalMs`, so that the limit for a second holds for all processes together.
   */
  reconcileDue(): void;
  stop(): Promise<void>;
}

/**
 * Runs the background jobs again and again, one run after the other, while this process holds the leader lease. All processes
 * try to acquire it, and one at a time holds it.
 */
export const startBackgroundWorker = (
  {
    acquireLeadership,
    recoverAbandonedProcesses,
    expirePayments,
    expireOrders,
    purgeIdempotencyKeys,
    purgeEvents,
    reindexProducts,
    fillPastTimes,
    eraseUsers,
    reconcileCharges,
    pollProviderEvents,
  }: BackgroundJobs,
  { name, reconcileAfterMilliseconds, report }: Options,
): BackgroundWorker => {
  const interval = Math.min(maxIntervalMs, Math.max(minIntervalMs, reconcileAfterMilliseconds / 2));
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  let acquiring: Promise<boolean> = Promise.resolve(false);
  let isLeader = false;
  /** Acquires or renews the lease. A stopping worker does neither: it is about to release it. */
  const acquireLease = async (): Promise<boolean> => {
    if (stopping.signal.aborted) return false;
    acquiring = acquireLeadership(name, intervalsPerLease * interval).catch((error: unknown) => {
      report(error);
      return false;
    });
    isLeader = await acquiring;
    return isLeader;
  };

  /** Renews the lease during a run, and aborts the run when another process holds it. */
  const withLease = async (run: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const lost = new AbortController();
    const renewal = setInterval(async () => {
      if (!(await acquireLease())) lost.abort();
    }, interval).unref();
    try {
      await run(AbortSignal.any([stopping.signal, lost.signal]));
    } finally {
      clearInterval(renewal);
    }
  };

  const runJobs = async (signal: AbortSignal): Promise<void> => {
    const jobs = [
      ...[expirePayments, expireOrders, purgeIdempotencyKeys, recoverAbandonedProcesses],
      ...[purgeEvents, reindexProducts, fillPastTimes, eraseUsers],
    ];
    for (const job of jobs) {
      const { errors } = await job(signal).catch((error: unknown) => ({ errors: [error] }));
      errors.forEach(report);
    }
  };

  const runAndSchedule = async (): Promise<void> => {
    if (await acquireLease()) await withLease(runJobs);
    if (!stopping.signal.aborted) timer = setTimeout(start, interval).unref();
  };

  let current: Promise<void> = Promise.resolve();
  const start = (): void => {
    current = runAndSchedule();
  };
  const reconcileDue = startOverlappingRuns({
    jobs: [pollProviderEvents, reconcileCharges],
    intervalMs: reconcileIntervalMs,
    mayRun: () => isLeader,
    report,
    signal: stopping.signal,
  });
  // Later than the first requests after a start, which would wait for it.
  timer = setTimeout(start, minIntervalMs).unref();

  return {
    reconcileDue,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await Promise.race([current, sleep(stopTimeoutMs, { ref: false })]);
      await Promise.race([acquiring, sleep(stopTimeoutMs, { ref: false })]);
      // Releases the lease, so that another process need not wait until it expires.
      await acquireLeadership(name, 0).catch(report);
    },
  };
};
