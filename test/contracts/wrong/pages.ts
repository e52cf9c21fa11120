import type { Page } from '#application/ports/repositories.ts';
import type { Id, Resource } from '#domain/resource.ts';
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
