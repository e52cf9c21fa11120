import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { eventTypes } from '#adapters/payment/stripe/events/event-types.ts';
import type { ObservedDatabase, Row } from '../../lab/databases.ts';
import { type Violation, violation } from '../../lab/violations.ts';
import type { StripeProcess } from '../../stripe/stripe-process.ts';
import { actsWithinMs, eventsPollMs } from '../conditions.ts';

interface World {
  readonly provider: StripeProcess;
  readonly database: Pick<ObservedDatabase, 'query' | 'execute'>;
}

/** How many charges are reconciled in a second at least. At most 5 are, and the servers' processes are slow beside each other. */
const reconciliationsPerSecond = 2;

/** How long it takes until the list of events is read again, in milliseconds. */
const pollTimeMs = eventsPollMs + 1_500;

/** How long the list of events may take to be read to its end, in milliseconds. */
const readingTimeMs = 30_000;

/**
 * Waits until payers, banks and merchants have ended, and the servers have learned of all that they did: the list of events is read to
 * its end, and each object that an event has named was reconciled. One that has failed waits for up to an hour; these waits are
 * skipped, and nothing else is.
 * @returns what was not looked up in time
 */
export const waitUntilFollowed = async (world: World): Promise<Violation[]> => {
  const newestEventAt = await waitForPeople(world);
  // The list is read once more behind the newest event, whose second is all that is noted of it.
  await pause(pollTimeMs);
  let hints = await findHints(world);
  const deadline = performance.now() + readingTimeMs + (hints.length / reconciliationsPerSecond) * 1_000;
  for (;;) {
    const isRead = (await newsReadUntil(world)) >= Math.floor(newestEventAt / 1_000) * 1_000;
    hints = await findHints(world);
    if (isRead && hints.length === 0) return [];
    if (performance.now() > deadline) break;
    await world.database.execute('update look_ups set due_at = created_at where events > 0 and attempts > 0');
    await pause(500);
  }
  const left = hints.map(({ kind, reference }) =>
    violation('stranded', `reconciliation of ${kind} ${reference}`),
  );
  return left.length > 0 ? left : [violation('stranded', 'the list of events was not read to its end')];
};

/** @returns the time of the newest event that the servers read, once nothing more happens at the provider */
const waitForPeople = async ({ provider }: World): Promise<number> => {
  let events = (await provider.ledger()).newestEvents;
  for (let quietSince = performance.now(); performance.now() - quietSince < actsWithinMs + 500; ) {
    await pause(250);
    const { newestEvents } = await provider.ledger();
    if (!isDeepStrictEqual(events, newestEvents)) quietSince = performance.now();
    events = newestEvents;
  }
  return Math.max(0, ...eventTypes.map((type) => events[type] ?? 0));
};

/** The places that an event has named, and that were not looked up since. A payment that waits keeps its own. */
const findHints = async ({ database }: World): Promise<readonly Row[]> => {
  const rows = await database.query(
    'select kind, reference, attempts, due_at from look_ups where events > 0',
  );
  return rows.filter(({ attempts, due_at: dueAt }) => Number(attempts) > 0 || timeOf(dueAt) <= Date.now());
};

const newsReadUntil = async ({ database }: World): Promise<number> => {
  const [{ seen_until: until } = {}] = await database.query('select seen_until from provider_news');
  return until === undefined ? 0 : timeOf(until);
};

const timeOf = (value: unknown): number =>
  value instanceof Date ? value.getTime() : Date.parse(String(value));
