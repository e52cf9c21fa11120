import type { Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import type { Caller } from './access.ts';
import { Page, type PageRequest } from './page.ts';
import type { Reader } from './ports/repositories.ts';

interface VisiblePageRequest<F, I extends Resource['id']> {
  readonly filter: F;
  readonly page: PageRequest<I>;
  /** Whether this caller sees everybody's. */
  readonly seesAll: boolean;
}

/** A page of what the caller may see. One who sees only their own, and asks for somebody else's, finds nothing. */
export const pageVisibleTo = async <T extends Resource, F extends { readonly userId?: UserId }>(
  collection: Reader<T, F>,
  { userId }: Caller,
  { filter, page, seesAll: everybodys }: VisiblePageRequest<F, T['id']>,
): Promise<Page<T>> => {
  if (everybodys) return collection.page(filter, page);
  if (filter.userId !== undefined && filter.userId !== userId) return Page.empty;
  return collection.page({ ...filter, userId }, page);
};

/** Everything that matches, read a page at a time. */
export async function* readAll<T extends Resource, F>(
  collection: Reader<T, F>,
  filter: F,
): AsyncGenerator<T, void, undefined> {
  let after: T['id'] | undefined;
  for (;;) {
    const { rows, hasMore } = await collection.page(filter, { after, limit: 100 });
    yield* rows;
    after = rows.at(-1)?.id;
    if (!hasMore) return;
  }
}
