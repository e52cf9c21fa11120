import { partsOfPeriod } from '#adapters/persistence/sql/created-between/parts.ts';
import type { PageQuery } from '#adapters/persistence/sql/sql-table.ts';
import type { CreationPeriod, PaidPeriod } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';

/** Of the first order. There is one a minute. */
export const start = Date.parse('2026-01-01T00:00:00Z');
const minute = 60_000;
export const orderCount = 100_000;

/** The id of an order has the time of its creation, less a second, and its number. */
export const idOf = (n: number): string => {
  const time = (start + n * minute - 1_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
};

const timeOf = (n: number): Instant => Instant.at(start + n * minute);

type Query = PageQuery & CreationPeriod;

const day = 24 * 60;
const middle = orderCount / 2;

/** One order in a hundred is Ada's, and others have the other orders. All are pending. */
export const userCount = 1_000;
export const ada = '01900000-0000-7000-8000-000000000000';
export const userOf = 'case when n % 100 = 0 then 0 else n % 999 + 1 end';

const filters = [
  ['', {}],
  [' of a user', { userId: ada }],
  [' with a status', { status: 'pending' }],
  [' with a status that no order has', { status: 'paid' }],
] as const;

/** Pages of periods, by what they are of. Of each the first, one behind a cursor, and the last. */
export const pagesOfPeriods: Readonly<Record<string, readonly Query[]>> = (() => {
  const limit = 21;
  const pages: Record<string, readonly Query[]> = {};
  for (const [name, from, before] of [
    ['a day in the middle', middle, middle + day],
    ['everything from the middle on', middle, undefined],
    ['everything up to the middle', undefined, middle],
    ['a late open period', orderCount - day, undefined],
    ['an early open period', undefined, day],
    ['nearly everything', day, orderCount - day],
    ['a day in the future', 2 * orderCount, 2 * orderCount + day],
    ['an hour', middle, middle + 60],
  ] as const) {
    const createdFrom = from === undefined ? undefined : timeOf(from);
    const createdBefore = before === undefined ? undefined : timeOf(before);
    for (const order of ['ascending', 'descending'] as const) {
      const [first, last] = [from ?? 0, (before ?? orderCount) - 1];
      const cursors = [undefined, idOf(first + 30), idOf(order === 'ascending' ? last - 3 : first + 3)];
      for (const [which, filter] of filters)
        pages[`${name}${which}, ${order}`] = cursors.map((after) => ({
          ...{ filter, limit, order, after, createdFrom, createdBefore },
        }));
    }
  }
  return pages;
})();

/** What a page reads: its parts, up to the one that fills it. @param read returns how many rows it has found */
export const readParts = async (
  query: PageQuery & CreationPeriod & PaidPeriod,
  read: (part: PageQuery) => Promise<number> | number,
): Promise<void> => {
  let rows = 0;
  for (const part of partsOfPeriod(query)) {
    rows += await read({ ...part, limit: query.limit - rows });
    if (rows === query.limit) return;
  }
};
