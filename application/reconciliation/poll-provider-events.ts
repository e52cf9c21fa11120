import { Instant } from '#domain/instant.ts';
import type { Job } from '../jobs/job.ts';
import { enqueueReconciliation, isProviderObject } from '../payments/provider-objects.ts';
import type { CompleteChargeLifecycle } from '../ports/charge-lifecycle.ts';
import type { ReconciliationDependencies } from './reconcile-charges.ts';

interface Dependencies
  extends Pick<ReconciliationDependencies, 'unitOfWork' | 'clock' | 'provider' | 'observer'> {
  /** How often the list is read, in milliseconds; 0 means never. */
  readonly intervalMs: number;
}

/** How far before the newest event the list is read again: providers list events late and out of order. */
const overlapMs = 300_000;

/** How far back the list is read at most, in milliseconds: 30 days, for as long as Stripe keeps events. */
const maxAgeMs = 30 * 24 * 3_600_000;

/**
 * Reads the provider's own list of events, and enqueues a task for each object that one names. So a shop without a public address learns
 * everything too. It is read from where the last process has stopped; the first time, from the oldest event on.
 */
export const pollProviderEvents = ({
  unitOfWork,
  clock,
  provider,
  observer,
  intervalMs,
}: Dependencies): Job => {
  let readAt: Instant | undefined;
  let isReading = false;
  /** The events of the last list. A restart enqueues those of the overlap once more. */
  let known: ReadonlySet<string> = new Set();

  const isDue = (now: Instant): boolean =>
    readAt === undefined || now < readAt || now >= Instant.plus(readAt, intervalMs);

  const startOf = async (now: Instant): Promise<Instant> => {
    const until = await unitOfWork.read(({ reconciliationTasks }) =>
      reconciliationTasks.eventsReadUntil(provider.name),
    );
    const oldest = Instant.plus(now, -maxAgeMs);
    const from = until === undefined ? oldest : Instant.plus(until, -overlapMs);
    return from > oldest ? from : oldest;
  };

  const read = async (
    listProviderEvents: CompleteChargeLifecycle['listProviderEvents'],
    now: Instant,
  ): Promise<number> => {
    const { events, newest } = await listProviderEvents(await startOf(now));
    const fresh = events.filter((event) => !known.has(event.eventId) && isProviderObject(event));
    await enqueueReconciliation(unitOfWork, provider.name, fresh, clock.now());
    observer.eventsRead(fresh.length);
    // After the tasks, so that a process that dies in between reads the same events again. No time ahead of the clock: the events
    // before it would never be read.
    if (newest !== null)
      await unitOfWork.run(({ reconciliationTasks }) =>
        reconciliationTasks.saveEventsReadUntil(provider.name, newest < now ? newest : now),
      );
    known = new Set(events.map(({ eventId }) => eventId));
    return fresh.length;
  };

  return async () => {
    const now = clock.now();
    const listProviderEvents = provider.lifecycle?.listProviderEvents;
    if (listProviderEvents === undefined || intervalMs === 0 || isReading || !isDue(now))
      return { done: 0, errors: [] };
    readAt = now;
    isReading = true;
    try {
      return { done: await read(listProviderEvents, now), errors: [] };
    } finally {
      isReading = false;
    }
  };
};
