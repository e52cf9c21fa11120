import { scalar } from '#adapters/wire/codec.ts';
import { decode, invalidFields } from '#adapters/wire/decode.ts';
import { type Fields, strictObject } from '#adapters/wire/object-codec.ts';
import type { PageRequest } from '#application/page.ts';
import { Cursor } from './cursor.ts';
import type { AnyId } from './parsed-request.ts';
import { parseQuery } from './query-string.ts';

/** What a query string asks of a list. */
export interface ListQuery {
  readonly filter: unknown;
  /** The filter again, always written the same way: `sku=A-1&status=active&`, or nothing. */
  readonly canonicalFilter: string;
  readonly page: PageRequest<AnyId>;
}

const defaultPageSize = 20;

/** How long a page may be; whoever asks for more gets this. */
export const maxPageSize = 100;

const digits = /^\d+$/;

export const limit = scalar(
  'limit',
  { type: 'integer', minimum: 1, default: defaultPageSize, examples: [defaultPageSize] },
  (input) => {
    const wanted = typeof input === 'string' && digits.test(input) ? Number(input) : 0;
    return wanted < 1 ? 'must be a whole number, at least 1' : { value: Math.min(wanted, maxPageSize) };
  },
  String,
);

export const cursor = scalar(
  'cursor',
  {
    type: 'string',
    minLength: Cursor.length,
    maxLength: Cursor.length,
    pattern: Cursor.pattern.source,
    examples: ['AaH7EjetdCO5phLvV0sAExEvNG-DBWH3'],
  },
  (input) => (typeof input === 'string' ? { value: input } : 'must be text'),
  String,
);

/**
 * Reads the query strings of a route.
 * @param filters those of a list; a route without a list takes no parameters at all
 * @returns a function of the address and the query string behind it
 *   @throws DecodeError 'invalid-fields', HttpError 'bad-request'
 */
export const listQueryParser = (
  filters: Fields | undefined,
): ((address: string, queryString: string) => ListQuery) => {
  const codec = strictObject({}, filters && { ...filters, limit, cursor });
  return (address, queryString) => {
    if (queryString === '') return emptyQuery;
    const parameters = parseQuery(queryString);
    const { limit = defaultPageSize, cursor, ...filter } = decode(codec, parameters) as Parameters;
    const filterText = canonicalFilterOf(parameters);
    return {
      filter,
      canonicalFilter: filterText,
      page: { limit, after: decodeCursor(cursor, `${address}?${filterText}`) },
    };
  };
};

const emptyQuery: ListQuery = {
  filter: {},
  canonicalFilter: '',
  page: { limit: defaultPageSize, after: undefined },
};

interface Parameters {
  readonly limit?: number;
  readonly cursor?: string;
}

const decodeCursor = (cursor: string | undefined, list: string): AnyId | undefined => {
  if (cursor === undefined) return undefined;
  const after = Cursor.decode(list, cursor);
  if (after === undefined)
    throw invalidFields([{ field: 'cursor', message: 'is not a cursor of this list' }]);
  return after;
};

const canonicalFilterOf = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .filter(([name]) => name !== 'limit' && name !== 'cursor')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
    .join('');
