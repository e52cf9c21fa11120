import { hash } from 'node:crypto';
import { type Schema, scalar, snakeCase } from '#adapters/wire/codec.ts';
import { decode, invalidFields } from '#adapters/wire/json.ts';
import { type Fields, strictObject } from '#adapters/wire/object-codec.ts';
import type { PageRequest } from '#application/ports/repositories.ts';
import { Id } from '#domain/resource.ts';
import { HttpError } from '../errors.ts';

/** An id whose kind of resource is not known yet. It is assignable to the id of any kind. */
export type AnyId = Id<never>;

/** The filters and the page that a query string asks for. */
export interface ListQuery {
  readonly filter: unknown;
  /** The filter in one canonical spelling, `sku=A-1&status=active&`, or empty. */
  readonly canonicalFilter: string;
  readonly page: PageRequest<AnyId>;
}

/** In hexadecimal digits. */
const idDigits = 32;
const checksumDigits = 16;
/** The characters of id and checksum in base64url. They fill it without spare bits, so every flipped bit is detected. */
const cursorLength = 32;
const cursorPattern = /^[A-Za-z0-9_-]{32}$/;

/**
 * A cursor for keyset pagination: the last id of a page, with a checksum over that id, the list and its filters. The
 * checksum only detects a cursor of another list. It needs no secret, because a cursor grants no access.
 */
export const Cursor = {
  length: cursorLength,
  pattern: cursorPattern,

  /** @param list the path and the canonical filter of the list, to which the cursor is bound */
  encode: (list: string, after: Id): string => {
    const id = Id.toHex(after);
    return Buffer.from(id + checksum(list, id), 'hex').toString('base64url');
  },

  /** Returns undefined when the cursor is damaged or belongs to another list. */
  decode: (list: string, cursor: string): Id<never> | undefined => {
    if (!cursorPattern.test(cursor)) return undefined;
    const digits = Buffer.from(cursor, 'base64url').toString('hex');
    const id = digits.slice(0, idDigits);
    return digits.slice(idDigits) === checksum(list, id) ? Id.fromHex(id) : undefined;
  },
};

const checksum = (list: string, id: string): string =>
  hash('sha256', `${id} ${list}`).slice(0, checksumDigits);

const defaultPageSize = 20;

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

/**
 * Makes the parser of a route's query strings.
 * @param filters the filters of a list; a route without a list accepts no parameters at all
 * @returns a function of the request's path and its query string
 *   @throws DecodeError 'invalid-fields', HttpError 'bad-request'
 */
export const listQueryParser = (
  filters: Fields | undefined,
): ((requestPath: string, queryString: string) => ListQuery) => {
  const codec = strictObject({}, filters && { ...filters, limit, cursor });
  const valuesOf = jsonValues(filters ?? {});
  return (requestPath, queryString) => {
    if (queryString === '') return emptyQuery;
    const parameters = parseQuery(queryString);
    const { limit = defaultPageSize, cursor, ...filter } = decode(codec, valuesOf(parameters)) as Parameters;
    const canonicalFilter = canonicalFilterOf(parameters);
    const after = decodeCursor(cursor, `${requestPath}?${canonicalFilter}`);
    return { filter, canonicalFilter, page: { limit, after } };
  };
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

type Texts = Readonly<Record<string, string>>;

const isJsonLiteral = (type: Schema['type']): boolean =>
  type === 'boolean' || type === 'integer' || type === 'number';

const literal = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/;

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
    throw invalidFields([{ field: 'cursor', message: 'must be the next_cursor of a page of this list' }]);
  return after;
};

const canonicalFilterOf = (parameters: Texts): string =>
  Object.entries(parameters)
    .filter(([name]) => name !== 'limit' && name !== 'cursor')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
    .join('');

/**
 * Parses a query string strictly: no parameter is dropped, joined or guessed.
 * @throws HttpError 'bad-request' for broken percent-encoding
 * @throws DecodeError 'invalid-fields' for a name given twice
 */
const parseQuery = (queryString: string): Texts => {
  const parameters: Record<string, string> = Object.create(null);
  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    const name = percentDecode(separator < 0 ? pair : pair.slice(0, separator));
    if (name in parameters) throw invalidFields([{ field: name, message: 'must be given only once' }]);
    parameters[name] = separator < 0 ? '' : percentDecode(pair.slice(separator + 1));
  }
  return parameters;
};

/** Decodes percent-encoding and `+`. @throws HttpError 'bad-request' */
export const percentDecode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new HttpError('bad-request', 'The URL has invalid percent-encoding.');
  }
};
