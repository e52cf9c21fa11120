import type { Id } from '#domain/id.ts';

/** Which part of a list is wanted. */
export interface PageRequest<I extends Id = Id> {
  /** Where the page before ended. */
  readonly after?: I | undefined;
  /** At least 1. */
  readonly limit: number;
}

/** A part of a list. When `hasMore`, it is exactly as long as was asked for. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

export const Page = {
  empty: { rows: [], hasMore: false } satisfies Page<never>,

  /** Makes a page of `limit` rows out of up to `limit + 1` that were read to see whether there are more. */
  of: <T>(rows: readonly T[], limit: number): Page<T> => ({
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
  }),
};
