import type {
  CreationPeriod,
  Page,
  PageOrder,
  PageRequest,
  PaidPeriod,
} from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import { Id, type Resource } from '#domain/resource.ts';
import { integerBetween } from '../config/env-parser.ts';
import { flag, value } from './framework/command.ts';
import type { Terminal } from './framework/terminal.ts';

const defaultLimit = 100;
const maxLimit = 10_000;

/** In resources. Bounds what one read of the store returns. */
const maxPageSize = 500;

const time = (description: string) =>
  value('TIME', {
    description,
    expects: 'a time in RFC 3339, such as 2026-03-01T00:00:00+01:00',
    parse: Instant.parseEnd,
  });

/** The options of a list of what was created in a period. */
export const periodOptions = {
  createdFrom: time('Only what was created then or later: 2026-03-01T00:00:00+01:00.'),
  createdBefore: time('Only what was created before then.'),
};

/** The options of a list of what was paid in a period. */
export const paidOptions = {
  paidFrom: time('Only what was paid then or later: 2026-03-01T00:00:00+01:00.'),
  paidBefore: time('Only what was paid before then.'),
};

/** The options of a list that can be too long for one command. */
export const pageOptions = <I extends Id>() => ({
  limit: value('N', {
    description: `How many to list at most. Default: ${defaultLimit}.`,
    expects: `a whole number from 1 to ${maxLimit}`,
    parse: integerBetween(1, maxLimit),
  }),
  newest: flag('List the newest first.'),
  after: value('ID', {
    description: 'Begin after this ID, which is the last one that was listed before.',
    expects: 'an ID, as the list shows it',
    parse: (text) => Id.parse<I>(text),
  }),
});

interface Paging<I extends Id> extends CreationPeriod, PaidPeriod {
  readonly limit: number | undefined;
  readonly after: I | undefined;
  readonly newest: boolean;
}

/** Reads as many resources as the options ask for, page by page. */
export const readPages = async <I extends Id, T extends Resource<I>>(
  { limit = defaultLimit, after: first, newest, ...periods }: Paging<I>,
  read: (request: PageRequest<I>) => Promise<Page<T>>,
): Promise<Page<T>> => {
  const rows: T[] = [];
  const order: PageOrder = newest ? 'descending' : 'ascending';
  let after = first;
  for (;;) {
    const page = await read({
      ...{ ...periods, after, order },
      limit: Math.min(limit - rows.length, maxPageSize),
    });
    rows.push(...page.rows);
    after = rows.at(-1)?.id;
    if (!page.hasMore || rows.length >= limit) return { rows, hasMore: page.hasMore };
  }
};

/** Prints on standard error how to go on, where the list has not ended. */
export const notifyMore = async ({ rows, hasMore }: Page<Resource>, terminal: Terminal): Promise<void> => {
  const last = rows.at(-1);
  if (hasMore && last !== undefined)
    await terminal.notify(`There are more. To continue, add --after ${last.id}.`);
};
