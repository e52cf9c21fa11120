import { described, isRequired, type Schema, scalar, snakeCase } from '#adapters/wire/codec.ts';
import { instant } from '#adapters/wire/codecs.ts';
import { decode, invalidFields } from '#adapters/wire/json.ts';
import { type Fields, strictObject } from '#adapters/wire/object-codec.ts';
import type { CreationPeriod, PageOrder, PageRequest, PaidPeriod } from '#application/ports/repositories.ts';
import type { ListEvents } from '#application/use-cases/events.ts';
import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import { Cursor } from './cursor.ts';
import { type Expansions, expandCodec, maxExpandedPageSize } from './expansions.ts';
import { parseQuery, type Texts } from './query-string.ts';

/** An id whose kind of resource is not known yet. It is assignable to the id of any kind. */
export type AnyId = Id<never>;

/** The filters and the page that a query string asks for. */
export interface ListQuery {
  readonly filter: unknown;
  /** Filters, period and order in one spelling of their values, `sku=A-1&status=active&`, or empty. */
  readonly canonicalFilter: string;
  readonly page: PageRequest<AnyId>;
  /** The names of the expansions; undefined without any. */
  readonly expand?: readonly string[] | undefined;
  /** Where in the feed the page begins; undefined for any other list. */
  readonly from?: ListEvents['from'];
}

export const defaultPageSize = 20;

/** A greater limit is lowered to this. */
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
  },
  (input) => (typeof input === 'string' ? { value: input } : 'must be a string'),
  String,
);

export const sort = scalar<PageOrder, '-id'>(
  'sort',
  { type: 'string', enum: ['-id'] },
  (input) => (input === '-id' ? { value: 'descending' } : 'must be -id, or left out'),
  () => '-id',
);

/** In a query string a plus is a space, so an offset such as `+02:00` arrives with a space unless it is encoded. */
export const endOfPeriod = scalar<Instant, string>(
  'end of a period',
  instant.schema,
  (input) => {
    const value = typeof input === 'string' ? Instant.parseEnd(input) : undefined;
    if (value !== undefined) return { value };
    const advice = String(input).includes(' ') ? '; in a URL a plus is written %2B' : '';
    return `must be a time in RFC 3339, such as 2026-03-01T12:00:00Z${advice}`;
  },
  String,
);

const about = 'Any offset from UTC is possible; write a plus as `%2B`.';

/** What lists of a period have among their filters. The parser makes it a part of the page. */
export const creationPeriod = {
  createdFrom: described(
    endOfPeriod,
    `Only resources that were created then or later. ${about}`,
    '2026-03-01T00:00:00Z',
  ),
  createdBefore: described(
    endOfPeriod,
    `Only resources that were created before then. ${about}`,
    '2099-04-01T00:00:00Z',
  ),
} satisfies { readonly [N in keyof CreationPeriod]-?: unknown };

/** What lists of orders have besides. The parser makes it a part of the page, too. */
export const paidPeriod = {
  paidFrom: described(
    endOfPeriod,
    `Only orders that were paid then or later, whatever became of them since. ${about}`,
    '2026-03-01T00:00:00Z',
  ),
  paidBefore: described(
    endOfPeriod,
    `Only orders that were paid before then, whatever became of them since. ${about}`,
    '2099-04-01T00:00:00Z',
  ),
} satisfies { readonly [N in keyof PaidPeriod]-?: unknown };

/**
 * Makes the parser of a route's query strings.
 * @param filters the filters of a list
 * @param expansions those of its resources. A route without both accepts no parameters at all
 * @returns a function of the request's path and its query string
 *   @throws DecodeError 'invalid-fields', HttpError 'bad-request'
 */
export const listQueryParser = (
  filters: Fields | undefined,
  expansions?: Expansions,
): ((requestPath: string, queryString: string) => ListQuery) => {
  const codec = strictObject(
    {},
    {
      ...(filters && { ...filters, sort, limit, cursor }),
      ...(expansions && { expand: expandCodec(expansions) }),
    },
  );
  const valuesOf = jsonValues(filters ?? {});
  return (requestPath, queryString) => {
    if (queryString === '') return emptyQuery;
    const parameters = parseQuery(queryString);
    const given = decode(codec, valuesOf(parameters)) as Parameters;
    const { limit: wanted = defaultPageSize, cursor, expand, ...bound } = given;
    const limit = expand === undefined ? wanted : Math.min(wanted, maxExpandedPageSize);
    const { sort: order, createdFrom, createdBefore, paidFrom, paidBefore, ...filter } = bound;
    const canonicalFilter = canonical(codec.encode(bound));
    const after =
      cursor === undefined
        ? undefined
        : decodeCursor(cursor, [listOf(requestPath, canonicalFilter), asItWas(requestPath, parameters)]);
    const period = { createdFrom, createdBefore, paidFrom, paidBefore };
    return { filter, canonicalFilter, page: { limit, after, order, ...period }, expand };
  };
};

/**
 * Makes the parser of query strings of a list that is always whole. It accepts its own parameters alone.
 * @returns a function as `listQueryParser` makes it
 */
export const wholeQueryParser = (
  parameters: Fields,
): ((requestPath: string, queryString: string) => ListQuery) => {
  const all = Object.entries(parameters);
  const codec = strictObject(
    Object.fromEntries(all.filter(([, parameter]) => isRequired(parameter))),
    Object.fromEntries(all.filter(([, parameter]) => !isRequired(parameter))),
  );
  const valuesOf = jsonValues(parameters);
  return (_requestPath, queryString) => ({
    ...emptyQuery,
    filter: decode(codec, valuesOf(parseQuery(queryString))),
  });
};

/** Filters have the codecs of JSON fields, and a query string has only texts: `true` and `5` become a boolean and a number. */
const jsonValues = (filters: Fields) => {
  const types = new Map(Object.entries(filters).map(([name, { schema }]) => [snakeCase(name), schema.type]));
  if (![...types.values()].some(isJsonLiteral)) return (parameters: Texts): object => parameters;
  return (parameters: Texts): object =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, text]) => [
        name,
        isJsonLiteral(types.get(name)) && literal.test(text) ? JSON.parse(text) : text,
      ]),
    );
};

const isJsonLiteral = (type: Schema['type']): boolean =>
  type === 'boolean' || type === 'integer' || type === 'number';

const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/;

/** What a request without a query string asks for. */
export const emptyQuery: ListQuery = {
  filter: {},
  canonicalFilter: '',
  page: { limit: defaultPageSize, after: undefined },
};

interface Parameters extends CreationPeriod, PaidPeriod {
  readonly limit?: number;
  readonly cursor?: string;
  readonly sort?: PageOrder;
  readonly expand?: readonly string[];
}

/** What cursors are bound to. The ids in a path are the same in upper and lower case. */
export const listOf = (requestPath: string, canonicalFilter: string): string =>
  `${requestPath.toLowerCase()}?${canonicalFilter}`;

/** @param lists the cursor must be bound to one of them */
const decodeCursor = (cursor: string, lists: readonly string[]): AnyId => {
  for (const list of lists) {
    const after = Cursor.decode(list, cursor);
    if (after !== undefined) return after;
  }
  const message = 'must be the next_cursor of a page of this list, with the same filters and sort';
  throw invalidFields([{ field: 'cursor', message }]);
};

/** One spelling for all queries with the same parameters, `expand=items&`; empty without any. @throws as the parser does */
export const canonicalQuery = (queryString: string): string =>
  queryString === '' ? '' : canonical(parseQuery(queryString));

/** Parameters in one spelling. */
export const canonical = (parameters: object): string =>
  Object.entries(parameters)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
    .join('');

/** Up to version 0.1.0 a cursor was bound to path and filters as they were written. A walk that began then must be able to end. */
const asItWas = (requestPath: string, { limit: _, cursor: __, expand: ___, ...filters }: Texts): string =>
  `${requestPath}?${canonical(filters)}`;
