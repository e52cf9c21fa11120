import { ApplicationError } from '#application/errors.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean;
}

/** As many as Stripe gives at once. */
export const pageSize = 100;

const mostPages = 100;

/**
 * All that are wanted of a list, which unlike a search shows what was made a moment ago.
 * https://docs.stripe.com/api/pagination
 * @param page gives the one behind that id, or the first
 * @throws ApplicationError 'provider-failed' when there are too many to look through
 */
export const findInList = async <T extends { readonly id: string }>(
  page: (after: { readonly starting_after?: string }) => Promise<Page<T>>,
  isWanted: (each: T) => boolean,
): Promise<readonly T[]> => {
  const found: T[] = [];
  let last: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { data, has_more } = await page(last === undefined ? {} : { starting_after: last });
    found.push(...data.filter(isWanted));
    last = data.at(-1)?.id;
    if (has_more !== true || last === undefined) return found;
  }
  throw new ApplicationError('provider-failed', 'There is too much at the payment provider to look through.');
};
