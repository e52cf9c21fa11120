import type { Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import {
  type CreationPeriod,
  Page,
  type PageRequest,
  type PaidPeriod,
  type Reader,
} from './ports/repositories.ts';
import type { Caller } from './preconditions.ts';

interface VisiblePageRequest<F, I extends Resource['id']> {
  readonly filter: F;
  readonly page: PageRequest<I>;
  /** Whether the caller sees the resources of all users. */
  readonly seesAll: boolean;
}

/**
 * Reads a page of the resources that the caller may see. A caller who sees only their own gets an empty page when they
 * filter by another user.
 */
export const pageVisibleTo = async <T extends Resource, F extends { readonly userId?: UserId }>(
  collection: Reader<T, F>,
  { userId }: Caller,
  { filter, page, seesAll }: VisiblePageRequest<F, T['id']>,
): Promise<Page<T>> => {
  if (seesAll) return collection.page(filter, page);
  if (filter.userId !== undefined && filter.userId !== userId) return Page.empty;
  return collection.page({ ...filter, userId }, page);
};

/** A page of the few resources that another one holds. */
export const pageOf = <T extends Resource>(
  held: readonly T[],
  { after, limit, order = 'ascending' }: Omit<PageRequest<T['id']>, keyof (CreationPeriod & PaidPeriod)>,
): Page<T> => {
  const isBefore = (one: string, other: string) => (order === 'ascending' ? one < other : one > other);
  const following = held
    .filter(({ id }) => after === undefined || isBefore(after, id))
    .toSorted((one, other) => (isBefore(one.id, other.id) ? -1 : 1));
  return Page.of(following, limit);
};

const pageSize = 100;

/** Iterates over all resources that match, page by page. */
export async function* readAll<T extends Resource, F>(
  collection: Reader<T, F>,
  filter: F,
): AsyncGenerator<T, void, undefined> {
  let after: T['id'] | undefined;
  for (;;) {
    const { rows, hasMore } = await collection.page(filter, { after, limit: pageSize });
    yield* rows;
    after = rows.at(-1)?.id;
    if (!hasMore) return;
  }
}
