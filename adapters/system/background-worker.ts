import { setTimeout as wait } from 'node:timers/promises';
import type { BackgroundJobs } from '#application/background-jobs.ts';

/** How often there is a round, in milliseconds, whatever the times that it serves. */
const bounds = { least: 250, most: 5_000 };

/** How long a round that has to end is waited for, in milliseconds. */
const patience = 2_000;

/** How many pauses the duty is taken for: when its holder dies, somebody else has it after so many. */
const pausesOnDuty = 3;

interface Options {
  /** A name that no other process has. */
  readonly name: string;
  readonly reconcileAfterMilliseconds: number;
  readonly report: (error: unknown) => void;
}

/**
 * Does the application's housekeeping again and again, one round after the other, while it has the duty. All processes
 * try to get it, and one at a time has it.
 */
export const startHousekeeper = (
  { acquireLeadership, reconcilePayments, expireOrders, purgeIdempotencyKeys }: BackgroundJobs,
  { name, reconcileAfterMilliseconds, report }: Options,
): { stop(): Promise<void> } => {
  const pause = Math.min(bounds.most, Math.max(bounds.least, reconcileAfterMilliseconds / 2));
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  let taking: Promise<boolean> = Promise.resolve(false);
  /** Once it has to stop it takes nothing any more: the duty is given back. */
  const isOnDuty = async (): Promise<boolean> => {
    if (stopping.signal.aborted) return false;
    taking = acquireLeadership(name, pausesOnDuty * pause).catch((error: unknown) => {
      report(error);
      return false;
    });
    return taking;
  };

  /** Keeps the duty for as long as a round takes, and ends the round when somebody else has got it. */
  const onDuty = async (round: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const relieved = new AbortController();
    const keeping = setInterval(async () => {
      if (!(await isOnDuty())) relieved.abort();
    }, pause).unref();
    try {
      await round(AbortSignal.any([stopping.signal, relieved.signal]));
    } finally {
      clearInterval(keeping);
    }
  };

  const doEverything = async (signal: AbortSignal): Promise<void> => {
    for (const task of [expireOrders, purgeIdempotencyKeys, reconcilePayments]) {
      const { errors: obstacles } = await task(signal).catch((error: unknown) => ({ errors: [error] }));
      obstacles.forEach(report);
    }
  };

  const round = async (): Promise<void> => {
    if (await isOnDuty()) await onDuty(doEverything);
    if (!stopping.signal.aborted) timer = setTimeout(begin, pause).unref();
  };

  let current: Promise<void> = Promise.resolve();
  const begin = (): void => {
    current = round();
  };
  // Whoever asks first after a start would wait for it, 30 ms on PostgreSQL.
  timer = setTimeout(begin, bounds.least).unref();

  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      // Whoever waits for a provider is not waited for: its lease is there for that.
      await Promise.race([current, wait(patience, undefined, { ref: false })]);
      await Promise.race([taking, wait(patience, undefined, { ref: false })]);
      // Given back, so that another process need not wait until it has lapsed.
      await acquireLeadership(name, 0).catch(report);
    },
  };
};
