import type { CreationPeriod, Page } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import type { Id, Resource } from '#domain/resource.ts';
import { describeCreationPeriods, timeIn } from '../creation-periods.ts';
import { describeOwnChanges } from '../own-changes.ts';
import { describePages } from '../pages.ts';
import { type WrongAdapter, wrongCollections } from './wrapping.ts';

/** Pages of all rows that match, made by other rules. */
const pagesBy = (make: (rows: readonly Resource[], after: Id | undefined, limit: number) => Page<Resource>) =>
  wrongCollections((right) => ({
    page: async (filter, { after, limit }) => {
      const { rows } = await right.page(filter, { limit: 10_000 });
      return make(rows, after, limit);
    },
  }));

const pageFrom = (rows: readonly Resource[], start: number, limit: number): Page<Resource> => ({
  rows: rows.slice(start, start + limit),
  hasMore: rows.length > start + limit,
});

/** A cursor that is the number of rows before it, and not the id where the page before ended. */
const countedCursors = () => {
  const counts = new Map<Id, number>();
  return pagesBy((rows, after, limit) => {
    const start =
      after === undefined ? 0 : (counts.get(after) ?? rows.filter(({ id }) => id <= after).length);
    const page = pageFrom(rows, start, limit);
    for (const [index, { id }] of page.rows.entries()) counts.set(id, start + index + 1);
    return page;
  });
};

/** A descending page as a client would make it of ascending ones: from the end, and as many rows on as the cursor has before it. */
const countedFromTheEnd = () => {
  const counts = new Map<Id, number>();
  return wrongCollections((right) => ({
    page: async (filter, request) => {
      if (request.order !== 'descending') return right.page(filter, request);
      const { after, limit } = request;
      const { rows } = await right.page(filter, { ...request, after: undefined, limit: 10_000 });
      const start =
        after === undefined ? 0 : (counts.get(after) ?? rows.filter(({ id }) => id >= after).length);
      const page = pageFrom(rows, start, limit);
      for (const [index, { id }] of page.rows.entries()) counts.set(id, start + index + 1);
      return page;
    },
  }));
};

/** Pages of another period than the one that was asked for. */
const ofPeriod = (periodOf: (period: CreationPeriod) => CreationPeriod) =>
  wrongCollections((right) => ({
    page: (filter, request) => right.page(filter, { ...request, ...periodOf(request) }),
  }));

const laterBy = (instant: Instant | undefined, milliseconds: number) =>
  instant && Instant.plus(instant, milliseconds);

const firstAndLast = 'include its first instant, and exclude its last';

const neitherRepeats =
  'neither repeat nor omit a resource that exists throughout, despite concurrent changes';

/** Adapters whose pages are not in order, not complete, or not pages. */
export const wrongPages: readonly WrongAdapter[] = [
  [
    'pages in descending order',
    () =>
      pagesBy((rows, after, limit) => {
        const left = rows.filter(({ id }) => after === undefined || id < after);
        return pageFrom(left.toReversed(), 0, limit);
      }),
    describeOwnChanges,
    'are listed together with what was committed, in ascending order of id',
  ],
  [
    'pages that begin with their cursor',
    () =>
      pagesBy((rows, after = '' as Id, limit) =>
        pageFrom(rows, rows.filter(({ id }) => id < after).length, limit),
      ),
    describePages,
    'have the requested length while there are more, and show whether there are',
  ],
  [
    'pages that begin anew behind a removed row',
    () =>
      pagesBy((rows, after, limit) => pageFrom(rows, rows.findIndex(({ id }) => id === after) + 1, limit)),
    describePages,
    'continue after a removed resource',
  ],
  ['cursors that count rows', countedCursors, describePages, neitherRepeats],
  [
    'descending cursors that count rows',
    countedFromTheEnd,
    describePages,
    'neither repeat nor omit one in descending order, despite concurrent changes',
  ],
  [
    'pages that always ascend',
    () =>
      wrongCollections((right) => ({
        page: (filter, request) => right.page(filter, { ...request, order: 'ascending' }),
      })),
    describePages,
    'descend, and begin after their cursor, where that is asked for',
  ],
  [
    'periods without their first instant',
    () =>
      ofPeriod(({ createdFrom, createdBefore }) => ({
        createdFrom: laterBy(createdFrom, 1),
        createdBefore,
      })),
    describeCreationPeriods,
    firstAndLast,
  ],
  [
    'periods with their last instant',
    () =>
      ofPeriod(({ createdFrom, createdBefore }) => ({
        createdFrom,
        createdBefore: laterBy(createdBefore, 1),
      })),
    describeCreationPeriods,
    firstAndLast,
  ],
  [
    'periods without an end that have no beginning',
    () => ofPeriod(({ createdBefore }) => (createdBefore === undefined ? { createdFrom: undefined } : {})),
    describeCreationPeriods,
    'are open at an end that is not given',
  ],
  [
    'periods without what has the id of another time',
    () =>
      wrongCollections((right) => ({
        page: async (filter, request) => {
          const { rows, ...page } = await right.page(filter, request);
          const { createdFrom = '', createdBefore = '9' } = request;
          const isOfPeriod = (time: Instant) => createdFrom <= time && time < createdBefore;
          return { ...page, rows: rows.filter(({ id }) => isOfPeriod(Instant.at(timeIn(id)))) };
        },
      })),
    describeCreationPeriods,
    'have all that was created in them, also where the clock was wrong when ids were made',
  ],
  [
    'periods that are ignored where they cannot be',
    () =>
      ofPeriod(({ createdFrom = '', createdBefore = '9' }) =>
        createdFrom < createdBefore ? {} : { createdFrom: undefined, createdBefore: undefined },
      ),
    describeCreationPeriods,
    'match nothing when they end before they begin, or at once',
  ],
  [
    'pages of at most 500 rows',
    () =>
      wrongCollections((right) => ({
        page: (filter, request) => right.page(filter, { ...request, limit: Math.min(request.limit, 500) }),
      })),
    describePages,
    'are as long as was asked for',
  ],
  [
    'full pages that always have more',
    () =>
      wrongCollections((right) => ({
        page: async (filter, request) => {
          const { rows } = await right.page(filter, request);
          return { rows, hasMore: rows.length === request.limit };
        },
      })),
    describePages,
    'have the requested length while there are more, and show whether there are',
  ],
];
