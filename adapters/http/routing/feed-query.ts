import { scalar } from '#adapters/wire/codec.ts';
import { decode, invalidFields } from '#adapters/wire/json.ts';
import { type Fields, strictObject } from '#adapters/wire/object-codec.ts';
import type { FeedPosition } from '#application/use-cases/events.ts';
import { FeedCursor } from './feed-cursor.ts';
import {
  canonical,
  cursor,
  defaultPageSize,
  emptyQuery,
  type ListQuery,
  limit,
  listOf,
} from './list-query.ts';
import { parseQuery } from './query-string.ts';

export const start = scalar<'latest', 'latest'>(
  'start',
  { type: 'string', enum: ['latest'] },
  (input) => (input === 'latest' ? { value: input } : 'must be latest, or left out'),
  String as () => 'latest',
);

interface Parameters {
  readonly limit?: number;
  readonly cursor?: string;
  readonly start?: 'latest';
}

/**
 * Makes the parser of query strings of the feed. It has no order but its own, and a cursor is a place in it.
 * @returns a function as `listQueryParser` makes it
 */
export const feedQueryParser = (filters: Fields) => {
  const codec = strictObject({}, { ...filters, start, limit, cursor });
  return (requestPath: string, queryString: string): ListQuery => {
    if (queryString === '') return emptyQuery;
    const given = decode(codec, parseQuery(queryString)) as Parameters;
    const { limit: wanted = defaultPageSize, cursor: text, start: from, ...filter } = given;
    const canonicalFilter = canonical(codec.encode(filter));
    if (text !== undefined && from !== undefined)
      throw invalidFields([{ field: 'start', message: 'must not be given with a cursor' }]);
    return {
      filter,
      canonicalFilter,
      page: { limit: wanted, after: undefined },
      from: from ?? (text === undefined ? undefined : positionOf(listOf(requestPath, canonicalFilter), text)),
    };
  };
};

const positionOf = (list: string, text: string): FeedPosition => {
  const position = FeedCursor.decode(list, text);
  if (position !== undefined) return position;
  const message = 'must be the resume_cursor or next_cursor of a page of this list, with the same filters';
  throw invalidFields([{ field: 'cursor', message }]);
};
