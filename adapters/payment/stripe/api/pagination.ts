import { ApplicationError } from '#application/errors.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean;
}

/** Stripe's maximum page size. */
export const maxPageSize = 100;

const maxPages = 100;

/**
 * Searches one of Stripe's lists, which start with the newest object. Unlike a search query, a list includes objects that
 * were just created. https://docs.stripe.com/api/pagination
 * @param list lists the page after an id, or the first page
 * @param isPast whether no object after this one can match
 * @throws ApplicationError 'provider-failed' when the list has more than `maxPages` pages
 */
export const findInList = async <T extends { readonly id: string }>(
  list: (cursor: { readonly starting_after?: string }) => Promise<Page<T>>,
  matches: (object: T) => boolean,
  isPast: (object: T, newest: T) => boolean = () => false,
): Promise<readonly T[]> => {
  const found: T[] = [];
  let newest: T | undefined;
  let last: T | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { data, has_more } = await list(last === undefined ? {} : { starting_after: last.id });
    found.push(...data.filter(matches));
    newest ??= data[0];
    last = data.at(-1);
    if (has_more !== true || last === undefined || newest === undefined) return found;
    if (isPast(last, newest)) return found;
  }
  throw new ApplicationError('provider-failed', 'The payment provider lists too many objects to search.');
};
