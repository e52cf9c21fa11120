import { STATUS_CODES } from 'node:http';
import type { Schema } from '#adapters/wire/codec.ts';
import { isReplayableKind } from '#application/idempotency/idempotency-record.ts';
import type { Id } from '#domain/resource.ts';
import { type ErrorKind, hasMonitor, hasRetryAfter, statusAndCode } from '../errors.ts';
import { Cursor } from '../routing/cursor.ts';
import { expandableSchema } from '../routing/expansions.ts';
import { FeedCursor } from '../routing/feed-cursor.ts';
import { cursor, limit, maxPageSize } from '../routing/list-query.ts';
import type { Route } from '../routing/route.ts';
import { type ErrorCode, errorCatalogue, errorSchema } from './error-catalogue.ts';
import { commonHeaders, type HeaderName, headers, locationHeader } from './headers.ts';
import { exampleOf, strictObjectSchema, withReferences } from './schemas.ts';

/** The statuses of these kinds of error in ascending order, each with its codes. */
export const codesByStatus = (
  errors: readonly ErrorKind[],
): readonly (readonly [number, readonly ErrorCode[]])[] =>
  kindsByStatus(errors).map(([status, kinds]) => [status, codesOf(kinds)]);

const kindsByStatus = (errors: readonly ErrorKind[]) =>
  Object.entries(Object.groupBy(errors, (kind) => statusAndCode[kind].status)).map(
    ([status, kinds = []]) => [Number(status), kinds] as const,
  );

const codesOf = (kinds: readonly ErrorKind[]): readonly ErrorCode[] => [
  ...new Set(kinds.map((kind) => statusAndCode[kind].code)),
];

/**
 * Every possible response of a route, by status.
 * @param address the route's path with example ids in place of its placeholders
 */
export const responses = (route: Route, address: string) => ({
  [route.responder.status]: success(route, address),
  ...(route.method === 'GET' && route.responder.content === 'one' && { 304: notModified(route) }),
  ...Object.fromEntries(
    errorResponsesOf(route).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  ),
});

/** The error responses of a route. Routes with the same codes for a status share a component by its name. */
export const errorResponsesOf = ({ errors, idempotencyKey }: Route) =>
  kindsByStatus(errors).map(([status, kinds]) => {
    const isStored = idempotencyKey !== 'ignored' && kinds.some(isReplayableKind);
    const names = codesOf(kinds).map((code) => componentName(status, code));
    const name = `${names.join('Or')}${isStored ? 'Replayed' : ''}`;
    return { status, name, response: errorResponse(status, kinds, isStored) };
  });

/** An identifier in every language: generators name types after components. Several statuses have the code `BAD_REQUEST`. */
const componentName = (status: number, code: ErrorCode): string =>
  code === 'BAD_REQUEST'
    ? (STATUS_CODES[status] ?? '').replaceAll(/\W/g, '')
    : code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries([...names, ...commonHeaders].map((name) => [name, headerRef(name)]));

const headerRef = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });

const rateLimitHeaders: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The schema of the success response; undefined when it has no body. */
export const successSchema = ({ responder, expansions }: Route, address: string): Schema | undefined => {
  const { view } = responder;
  if (view === undefined) return undefined;
  const one = expansions === undefined ? view.schema : expandableSchema(view.schema, expansions);
  return bodySchema(responder, one, address);
};

const bodySchema = (
  { content, isFeed, maxRows = maxPageSize }: Route['responder'],
  one: Schema,
  address: string,
): Schema => {
  if (content === 'whole') return wholeOf(one, maxRows);
  if (content !== 'page') return strictObjectSchema({ data: one });
  return isFeed === true ? feedPageOf(one, address) : pageOf(one, address);
};

const success = (route: Route, address: string) => {
  const { status, content, view } = route.responder;
  const schema = successSchema(route, address);
  const name = view?.schema.title;
  return {
    description: name === undefined ? 'Done.' : describedContent[content](name),
    headers: {
      ...headerRefs([
        ...rateLimitHeaders,
        ...(route.idempotencyKey === 'ignored' ? [] : (['Idempotent-Replayed'] as const)),
        ...ofWait(route),
      ]),
      ...(content === 'one' && { ETag: etag(route) }),
      ...cacheControl(route),
      ...(status === 201 && { Location: locationHeader(`${address}/${exampleId(view?.schema)}`) }),
    },
    ...(schema &&
      view && {
        content: {
          'application/json': {
            schema: withReferences(schema),
            // Without expansions, as most responses are.
            example: exampleOf(bodySchema(route.responder, view.schema, address)),
          },
        },
      }),
  };
};

const describedContent: Readonly<Record<Route['responder']['content'], (name: string) => string>> = {
  one: (name) => `The ${name}.`,
  page: (name) => `A page of ${name} resources.`,
  whole: (name) => `All rows of ${name}.`,
  nothing: () => 'Done.',
};

/** A resource with its expansions has none, nor has one with something fleeting. */
const etag = ({ expansions, responder: { noStore } }: Route) => {
  const absentWith = [
    ...(expansions === undefined ? [] : ['`expand`']),
    ...(noStore === 'when fleeting' ? ['what only this response shows, such as `next_action`'] : []),
  ];
  if (absentWith.length === 0) return { $ref: '#/components/headers/ETag' };
  const description = `${headers.ETag.description} Absent with ${absentWith.join(', and with ')}.`;
  return { ...headers.ETag, required: false, description };
};

const cacheControl = ({ responder: { noStore } }: Route) =>
  noStore === undefined ? {} : { 'Cache-Control': headerRef('Cache-Control') };

const exampleId = ({ properties: { id } = {} }: Schema = {}) => id && exampleOf(id);

const notModified = (route: Route) => ({
  description: 'The version you have is the latest.',
  headers: headerRefs([...rateLimitHeaders, 'ETag', ...ofWait(route)]),
});

const ofWait = ({ canWait, errors }: Route): readonly HeaderName[] => [
  ...(canWait || errors.includes('key-in-progress') ? (['Preference-Applied'] as const) : []),
  ...(canWait ? (['Vary'] as const) : []),
];

const orNull = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] });

const pageSize: Schema = {
  format: 'int32',
  maximum: maxPageSize,
  description: 'The maximum size of the page.',
};

/** The cursor behind the example item of a list without filters. @param address the list's path with example ids */
export const exampleCursor = (item: Schema, address: string): string =>
  Cursor.encode(`${address}?`, exampleId(item) as Id);

/** The cursor behind the first event. */
export const exampleFeedCursor = (address: string): string =>
  FeedCursor.encode(`${address}?`, '019ca945-0a00-7000-8000-000000000001', 1);

const paginationFields = {
  next_cursor: orNull({
    ...cursor.schema,
    description: 'The cursor of the next page; null on the last page.',
  }),
  has_more: { type: 'boolean', description: 'Whether there is a next page.', examples: [true] },
  limit: { ...limit.schema, ...pageSize },
} satisfies Record<string, Schema>;

const link = {
  type: 'string',
  format: 'uri-reference',
  maxLength: 4_096,
} satisfies Schema;

const linkFields = {
  next: { ...orNull(link), description: 'The path of the next page; null on the last page.' },
};

const pageOf = (item: Schema, address: string): Schema => {
  const next = exampleCursor(item, address);
  return strictObjectSchema({
    data: { type: 'array', items: item, maxItems: maxPageSize },
    pagination: {
      title: 'Pagination',
      ...strictObjectSchema(paginationFields),
      examples: [{ next_cursor: next, has_more: true, limit: 20 }],
    },
    links: {
      title: 'Links',
      ...strictObjectSchema(linkFields),
      examples: [{ next: `${address}?limit=20&cursor=${next}` }],
    },
  });
};

/** A whole list has the form of a last page, so that what reads every list reads this one too. */
const wholeOf = (item: Schema, maxRows: number): Schema =>
  strictObjectSchema({
    data: { type: 'array', items: item, maxItems: maxRows },
    pagination: {
      title: 'WholePagination',
      ...strictObjectSchema({
        next_cursor: { ...paginationFields.next_cursor, description: 'Null: there is one page.' },
        has_more: { ...paginationFields.has_more, description: 'False: there is one page.' },
        limit: {
          type: 'integer',
          format: 'int32',
          minimum: 1,
          maximum: maxRows,
          description: 'The maximum size of the page.',
        },
      }),
      examples: [{ next_cursor: null, has_more: false, limit: maxRows }],
    },
    links: { title: 'Links', ...strictObjectSchema(linkFields), examples: [{ next: null }] },
  });

const feedPageOf = (item: Schema, address: string): Schema => {
  const after = exampleFeedCursor(address);
  const path = `${address}?limit=20&cursor=${after}`;
  return strictObjectSchema({
    data: { type: 'array', items: item, maxItems: maxPageSize },
    pagination: {
      title: 'FeedPagination',
      ...strictObjectSchema({
        ...paginationFields,
        resume_cursor: {
          ...cursor.schema,
          description:
            'Where to go on: after the last event of the page, or where the request was already. Never null.',
        },
      }),
      examples: [{ next_cursor: after, has_more: true, limit: 20, resume_cursor: after }],
    },
    links: {
      title: 'FeedLinks',
      ...strictObjectSchema({
        ...linkFields,
        resume: { ...link, description: 'The path of the page behind `resume_cursor`.' },
      }),
      examples: [{ next: path, resume: path }],
    },
  });
};

const errorResponse = (status: number, kinds: readonly ErrorKind[], isStored: boolean) => ({
  description: codesOf(kinds)
    .map((code) => `\`${code}\`: ${errorCatalogue[code].advice}`)
    .join('\n\n'),
  headers: headerRefs([
    ...(status === 401 ? (['WWW-Authenticate', 'Link'] as const) : []),
    // Of a 401, too: a key may be revoked while its request waits.
    ...rateLimitHeaders,
    ...(kinds.some(hasMonitor) ? (['Link'] as const) : []),
    ...(kinds.some(hasRetryAfter) ? (['Retry-After'] as const) : []),
    ...(isStored ? (['Idempotent-Replayed'] as const) : []),
    ...(isStored || kinds.includes('key-in-progress') ? (['Preference-Applied'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: withReferences(errorSchema(codesOf(kinds))),
      examples: Object.fromEntries(
        codesOf(kinds).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});
