import type { Job } from '#application/jobs/job.ts';

/** How many runs may overlap. A provider that answers late delays none of the next ones up to here. */
const maxRuns = 10;

interface Options {
  readonly jobs: readonly Job[];
  readonly intervalMs: number;
  /** Whether this process runs the jobs now. */
  readonly mayRun: () => boolean;
  readonly report: (error: unknown) => void;
  /** Aborted when no more runs begin. */
  readonly signal: AbortSignal;
}

/** Runs that are asked for begin at most so often, in milliseconds: a flood of requests begins few. */
const minWakeIntervalMs = 100;

/**
 * Begins a run of all jobs at each interval, also while earlier runs have not ended. The jobs must be safe to overlap.
 * @returns a function that begins a run at once, or soon when one was asked for a moment ago
 */
export const startOverlappingRuns = ({ jobs, intervalMs, mayRun, report, signal }: Options): (() => void) => {
  let running = 0;
  let wokenAt = Number.NEGATIVE_INFINITY;
  let waking: NodeJS.Timeout | undefined;
  const run = async (): Promise<void> => {
    if (running >= maxRuns || !mayRun()) return;
    running += 1;
    const results = await Promise.allSettled(jobs.map((job) => job(signal)));
    running -= 1;
    for (const result of results) {
      if (result.status === 'rejected') report(result.reason);
      else result.value.errors.forEach(report);
    }
  };
  const timer = setInterval(run, intervalMs).unref();
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    clearTimeout(waking);
  });
  return () => {
    if (waking !== undefined || signal.aborted) return;
    const wake = (): void => {
      waking = undefined;
      wokenAt = performance.now();
      run();
    };
    waking = setTimeout(wake, Math.max(0, wokenAt + minWakeIntervalMs - performance.now())).unref();
  };
};
