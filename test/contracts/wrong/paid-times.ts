import { type MissingTimes, type TimedCollection, timeFields } from '#application/ports/missing-times.ts';
import type { PaidPeriod } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import { timeIn } from '../creation-periods.ts';
import { repositoryOf, withField } from '../every-collection.ts';
import { describeMissingTimes } from '../missing-times.ts';
import { describePaidPeriods } from '../paid-periods.ts';
import { type WrongAdapter, withMethods, wrongCollections, wrongRepositories } from './wrapping.ts';

/** Pages of another period than the one that was asked for. */
const ofPeriod = (periodOf: (period: PaidPeriod) => PaidPeriod) =>
  wrongCollections((right) => ({
    page: (filter, request) => right.page(filter, { ...request, ...periodOf(request) }),
  }));

const laterBy = (instant: Instant | undefined, milliseconds: number) =>
  instant && Instant.plus(instant, milliseconds);

/** A memory store that fills times in by another way. */
const filling = (wrong: (right: MissingTimes) => MissingTimes['fill']) =>
  wrongRepositories(({ missingTimes: right }) => ({
    missingTimes: withMethods(right, { fill: wrong(right) }),
  }));

const ends = 'include their first instant, exclude their last, and have no order that was never paid';

/** Adapters that list other orders than those that were paid in a period, or fill in more or less than what is missing. */
export const wrongPaidTimes: readonly WrongAdapter[] = [
  [
    'periods of payment that are ignored',
    () => ofPeriod(() => ({ paidFrom: undefined, paidBefore: undefined })),
    describePaidPeriods,
    ends,
  ],
  [
    'periods of payment without their first instant',
    () => ofPeriod(({ paidFrom }) => ({ paidFrom: laterBy(paidFrom, 1) })),
    describePaidPeriods,
    ends,
  ],
  [
    'periods of payment with their last instant',
    () => ofPeriod(({ paidBefore }) => ({ paidBefore: laterBy(paidBefore, 1) })),
    describePaidPeriods,
    ends,
  ],
  [
    'periods of payment without orders that were paid long after their creation',
    () =>
      wrongCollections((right) => ({
        page: async (filter, request) => {
          const { rows, ...page } = await right.page(filter, request);
          const { paidFrom } = request;
          const first = paidFrom === undefined ? 0 : Instant.milliseconds(paidFrom) - 90_000;
          return { ...page, rows: rows.filter(({ id }) => timeIn(id) >= first) };
        },
      })),
    describePaidPeriods,
    'have all that was paid in them, however long after its creation',
  ],
  [
    'periods of payment that are ignored where they cannot be',
    () =>
      ofPeriod(({ paidFrom = '', paidBefore = '9' }) =>
        paidFrom < paidBefore ? {} : { paidFrom: undefined, paidBefore: undefined },
      ),
    describePaidPeriods,
    'match nothing when they end before they begin, or at once',
  ],
  [
    'times that are filled in as a version',
    () =>
      wrongRepositories((all) => ({
        missingTimes: {
          fill: async (collection, times) => {
            for (const { id, at } of times) {
              const repository = repositoryOf(all, collection);
              const found = (await repository.find(id)) as Resource & Record<string, unknown>;
              if (found === undefined || found[timeFields[collection]] !== null) continue;
              const filled = withField(found, timeFields[collection], at);
              await repository.save({ ...filled, version: found.version + 1 });
            }
          },
        },
      })),
    describeMissingTimes,
    'are filled in, and nothing else of these resources is changed',
  ],
  [
    'times that are never filled in',
    () => filling(() => async () => undefined),
    describeMissingTimes,
    'are filled in, and nothing else of these resources is changed',
    'are found by their period, and roll back with their unit of work',
  ],
  [
    'times of the first 50 of a list alone',
    () => filling((right) => (collection, times) => right.fill(collection, times.slice(0, 50))),
    describeMissingTimes,
    'are filled in by a list as long as the feed gives',
  ],
  [
    'times that are filled in of orders alone',
    () =>
      filling((right) => async (collection: TimedCollection, times) => {
        if (collection === 'orders') await right.fill(collection, times);
      }),
    describeMissingTimes,
    'are filled in, and nothing else of these resources is changed',
  ],
];
