import type { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';

/** A request for one page of a list (keyset pagination). */
export interface PageRequest<I extends Id = Id> extends CreationPeriod, PaidPeriod {
  /** The id at which the previous page ended, in the same order: the cursor. */
  readonly after?: I | undefined;
  /** At least 1. */
  readonly limit: number;
  /** The order of ids: ascending by default. */
  readonly order?: PageOrder | undefined;
}

export type PageOrder = 'ascending' | 'descending';

/** Matches resources by when they were created. A period that ends before it begins matches none. */
export interface CreationPeriod {
  /** Created then or later. */
  readonly createdFrom?: Instant | undefined;
  /** Created before then. */
  readonly createdBefore?: Instant | undefined;
}

/** Matches orders by when they were paid, and no order that never was. It is for orders alone. */
export interface PaidPeriod {
  /** Paid then or later. */
  readonly paidFrom?: Instant | undefined;
  /** Paid before then. */
  readonly paidBefore?: Instant | undefined;
}

/** A page of a list. When `hasMore`, it has exactly `limit` rows. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

export const Page = {
  empty: { rows: [], hasMore: false } satisfies Page<never>,

  /** Makes a page of up to `limit` rows. @param rows up to `limit + 1`, where the last one only shows that there are more */
  of: <T>(rows: readonly T[], limit: number): Page<T> => ({
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
  }),
};
