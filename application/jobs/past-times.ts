import { Dispute } from '#domain/dispute.ts';
import type { Event, EventType } from '#domain/event.ts';
import { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import { type MissingTime, type TimedCollection, timeFields } from '../ports/missing-times.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Job } from './job.ts';

/** How many events one step reads, and so how many rows one unit of work changes at most, captures besides. */
export const pastTimesBatchSize = 100;

/** How many steps one run makes, so that it does not keep the other jobs waiting. */
const stepsPerRun = 20;

/** How often the end of the feed is read again, in milliseconds: processes of the release before may still write. */
const waitMs = 3_600_000;

/** How long processes of the release before run beside those of this one, at most, in milliseconds. */
const sideBySideMs = 24 * 3_600_000;

/** The collection whose time each event has. */
const collectionOf: { readonly [T in EventType]?: TimedCollection } = {
  'order.paid': 'orders',
  'payment.succeeded': 'payments',
  'refund.succeeded': 'refunds',
  'dispute.created': 'disputes',
  'dispute.closed': 'disputes',
};
const types = Object.keys(collectionOf) as readonly EventType[];

type Times = { [C in TimedCollection]: Map<Resource['id'], Instant> };

/**
 * Makes the job that fills in when orders of earlier releases were paid, their payments, captures and refunds succeeded, and their
 * disputes were closed. The times are in the events that are kept: it reads them once after each start, up to those that this release has
 * written for a day. Where no event is kept, nothing is known. It changes no version, and records no event.
 */
export const pastTimesJob = ({
  unitOfWork,
  clock,
}: {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}): Job => {
  let after = 0;
  let since: Instant | undefined;
  let isDone = false;
  let endedAt: Instant | undefined;

  /** An end in the future was before the clock was set back. */
  const isWaiting = (now: Instant): boolean =>
    endedAt !== undefined && endedAt <= now && now < Instant.plus(endedAt, waitMs);

  /** Whether an event was written by the release before. Notes when this one began to write. */
  const isOfBefore = ({ type, timestamp, data }: Event): boolean => {
    const collection = collectionOf[type];
    if (collection === undefined || data === null) return false;
    const isOld = !(timeFields[collection] in data);
    if (!isOld && (since === undefined || timestamp < since)) since = timestamp;
    if (!isOld && since !== undefined && timestamp > Instant.plus(since, sideBySideMs)) isDone = true;
    return isOld;
  };

  const step = async (): Promise<number> => {
    const { rows, hasMore, missing } = await unitOfWork.read(async (all) => {
      const page = await all.events.page({ types }, { after, limit: pastTimesBatchSize });
      return { ...page, missing: await missingOf(all, timesIn(page.rows.filter(isOfBefore))) };
    });
    const filled = missing.filter(([, times]) => times.length > 0);
    if (filled.length > 0)
      await unitOfWork.run(async ({ missingTimes }) => {
        for (const [collection, times] of filled) await missingTimes.fill(collection, times);
      });
    after = rows.at(-1)?.sequence ?? after;
    if (!hasMore) endedAt = clock.now();
    return filled.reduce((count, [, times]) => count + times.length, 0);
  };

  return async (signal) => {
    let done = 0;
    for (let steps = 0; steps < stepsPerRun && !isDone && !signal?.aborted; steps += 1) {
      if (isWaiting(clock.now())) break;
      done += await step();
    }
    return { done, errors: [] };
  };
};

const timesIn = (events: readonly Event[]): Times => {
  const times: Times = {
    ...{ orders: new Map(), payments: new Map(), captures: new Map() },
    ...{ refunds: new Map(), disputes: new Map() },
  };
  for (const { type, timestamp, subject } of events) {
    const collection = collectionOf[type];
    if (collection !== undefined) times[collection].set(subject.id, timestamp);
  }
  return times;
};

/** The times that rows do not have. A capture has succeeded with its payment, which alone has an event. */
const missingOf = async (
  all: ReadRepositories,
  times: Times,
): Promise<readonly (readonly [TimedCollection, readonly MissingTime[]])[]> => {
  const idsOf = <C extends TimedCollection>(collection: C) => [...times[collection].keys()] as never[];
  const [orders, payments, refunds, disputes, captures] = [
    await all.orders.findBy('id', idsOf('orders')),
    await all.payments.findBy('id', idsOf('payments')),
    await all.refunds.findBy('id', idsOf('refunds')),
    await all.disputes.findBy('id', idsOf('disputes')),
    await all.captures.findBy('paymentId', idsOf('payments')),
  ];
  const at = (collection: TimedCollection, id: Resource['id']): readonly Instant[] => {
    const time = times[collection].get(id);
    return time === undefined ? [] : [time];
  };
  const missing = <R extends Resource>(
    collection: TimedCollection,
    rows: readonly R[],
    isMissing: (row: R) => boolean,
    timeOf: (row: R) => readonly Instant[] = ({ id }) => at(collection, id),
  ) =>
    [
      collection,
      rows.filter(isMissing).flatMap((row) => timeOf(row).map((time) => ({ id: row.id, at: time }))),
    ] as const;
  return [
    missing('orders', orders, ({ paidAt }) => paidAt === null),
    missing('payments', payments, ({ succeededAt }) => succeededAt === null),
    missing('refunds', refunds, ({ succeededAt }) => succeededAt === null),
    missing('disputes', disputes, (each) => each.closedAt === null && Dispute.isClosed(each)),
    missing(
      'captures',
      captures,
      ({ succeededAt, status }) => succeededAt === null && status === 'succeeded',
      ({ paymentId }) => at('payments', paymentId),
    ),
  ];
};
