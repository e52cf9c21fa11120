import { ApplicationError } from '#application/errors.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean;
}

/** As many as Stripe gives at once. */
export const pageSize = 100;

const mostPages = 100;

/**
 * All that are wanted of a list, which begins with the newest and unlike a search shows what was made a moment ago.
 * https://docs.stripe.com/api/pagination
 * @param page gives the one behind that id, or the first
 * @param isBehind whether nothing that is wanted can come behind that one
 * @throws ApplicationError 'provider-failed' when there are too many to look through
 */
export const findInList = async <T extends { readonly id: string }>(
  page: (after: { readonly starting_after?: string }) => Promise<Page<T>>,
  isWanted: (each: T) => boolean,
  isBehind: (each: T, newest: T) => boolean = () => false,
): Promise<readonly T[]> => {
  const found: T[] = [];
  let newest: T | undefined;
  let last: T | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { data, has_more } = await page(last === undefined ? {} : { starting_after: last.id });
    found.push(...data.filter(isWanted));
    newest ??= data[0];
    last = data.at(-1);
    if (has_more !== true || last === undefined || newest === undefined) return found;
    if (isBehind(last, newest)) return found;
  }
  throw new ApplicationError('provider-failed', 'There is too much at the payment provider to look through.');
};
