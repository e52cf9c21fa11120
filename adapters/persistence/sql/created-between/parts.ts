import type { CreationPeriod, PaidPeriod } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import type { PageQuery, PeriodPart } from '../sql-table.ts';

/** Matches by when resources were created, and orders by when they were paid. */
export type Period = CreationPeriod & PaidPeriod;

/** How far from `createdAt` the time in an id is expected to be: about as long as a request takes. */
const creationMarginMs = 60_000;

/** How long after the time in its id an order is expected to be paid. */
const paymentMarginMs = 3_600_000;

export const hasPeriod = (period: Period): boolean => hasPaidPeriod(period) || hasCreationPeriod(period);

/** Where both periods are given, the one of payment leads: the parts are those of its ids. */
export const hasPaidPeriod = ({ paidFrom, paidBefore }: PaidPeriod): boolean =>
  paidFrom !== undefined || paidBefore !== undefined;

const hasCreationPeriod = ({ createdFrom, createdBefore }: CreationPeriod): boolean =>
  createdFrom !== undefined || createdBefore !== undefined;

/**
 * Divides the ids of a page at the ends of its period. Each part is read by the index that suits it, and a part
 * that fills the page saves the ones behind it.
 *
 * An id has a time (RFC 9562 section 5.7), but does not prove `createdAt`, because the clock can be set between the two, and an order
 * is paid at any time after that. So the parts have all ids together: an id that is far off makes pages slower, and is never omitted.
 * @returns a query for each part, in the order of the page. Parts that the cursor has passed are omitted
 */
export const partsOfPeriod = (query: PageQuery & Period): readonly PageQuery[] => {
  const { after, order, createdFrom, createdBefore, paidFrom, paidBefore } = query;
  if (isEmpty(createdFrom, createdBefore) || isEmpty(paidFrom, paidBefore)) return [];
  const period = { createdFrom, createdBefore, paidFrom, paidBefore };
  const { first, end } = hasPaidPeriod(period)
    ? idsAround(paidFrom, paidBefore, paymentMarginMs)
    : idsAround(createdFrom, createdBefore, creationMarginMs);
  const parts: PeriodPart[] = [{ ...period, from: first, before: end, isAround: true }];
  if (first !== undefined) parts.unshift({ ...period, before: first, isAround: false });
  if (end !== undefined) parts.push({ ...period, from: end, isAround: false });
  const begin = order === 'descending' ? beginDescending : beginAscending;
  return (order === 'descending' ? parts.toReversed() : parts).flatMap((part) => {
    const begun = begin(part, after);
    return begun === undefined ? [] : [{ ...query, ...begun }];
  });
};

const isEmpty = (from: Instant | undefined, before: Instant | undefined): boolean =>
  from !== undefined && before !== undefined && from >= before;

/** The ids whose times are in a period, or beside it by less than a margin. */
const idsAround = (from: Instant | undefined, before: Instant | undefined, marginMs: number) => ({
  first: from && leastId(Instant.milliseconds(from) - marginMs),
  end: before && leastId(Instant.milliseconds(before) + marginMs),
});

/** A part that begins after a cursor, where either states its beginning. Undefined when the cursor has passed the part. */
type Begin = (part: PeriodPart, after: string | undefined) => Pick<PageQuery, 'after' | 'part'> | undefined;

const beginAscending: Begin = (part, after) => {
  if (after === undefined || (part.from !== undefined && after < part.from))
    return { after: undefined, part };
  if (part.before !== undefined && after >= part.before) return undefined;
  return { after, part: { ...part, from: undefined } };
};

const beginDescending: Begin = (part, after) => {
  if (after === undefined || (part.before !== undefined && after >= part.before))
    return { after: undefined, part };
  if (part.from !== undefined && after <= part.from) return undefined;
  return { after, part: { ...part, before: undefined } };
};

/** The greatest time that an id has room for. */
const maxMilliseconds = 2 ** 48 - 1;

/** The least id with a time. @param milliseconds since 1970 */
const leastId = (milliseconds: number): string => {
  const time = Math.min(Math.max(milliseconds, 0), maxMilliseconds);
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
