import { STATUS_CODES } from 'node:http';
import type { Schema } from '#adapters/wire/codec.ts';
import { isReplayableKind } from '#application/idempotency/idempotency-record.ts';
import type { Id } from '#domain/resource.ts';
import { type ErrorKind, hasRetryAfter, statusAndCode } from '../errors.ts';
import { Cursor } from '../routing/cursor.ts';
import { expandableSchema } from '../routing/expansions.ts';
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
  ...(route.method === 'GET' && route.responder.content === 'one' && { 304: notModified }),
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
  const { content, view } = responder;
  if (view === undefined) return undefined;
  const one = expansions === undefined ? view.schema : expandableSchema(view.schema, expansions);
  return bodySchema(content, one, address);
};

const bodySchema = (content: Route['responder']['content'], one: Schema, address: string): Schema =>
  content === 'page' ? pageOf(one, address) : strictObjectSchema({ data: one });

const success = (route: Route, address: string) => {
  const { status, content, view } = route.responder;
  const schema = successSchema(route, address);
  const name = view?.schema.title;
  return {
    description:
      name === undefined ? 'Done.' : content === 'page' ? `A page of ${name} resources.` : `The ${name}.`,
    headers: {
      ...headerRefs([
        ...rateLimitHeaders,
        ...(route.idempotencyKey === 'ignored' ? [] : (['Idempotent-Replayed'] as const)),
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
            example: exampleOf(bodySchema(content, view.schema, address)),
          },
        },
      }),
  };
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

const notModified = {
  description: 'The version you have is the latest.',
  headers: headerRefs([...rateLimitHeaders, 'ETag']),
};

const orNull = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] });

const pageSize: Schema = {
  format: 'int32',
  maximum: maxPageSize,
  description: 'The maximum size of the page.',
};

/** The cursor behind the example item of a list without filters. @param address the list's path with example ids */
export const exampleCursor = (item: Schema, address: string): string =>
  Cursor.encode(`${address}?`, exampleId(item) as Id);

const pageOf = (item: Schema, address: string): Schema => {
  const next = exampleCursor(item, address);
  return strictObjectSchema({
    data: { type: 'array', items: item, maxItems: maxPageSize },
    pagination: {
      title: 'Pagination',
      ...strictObjectSchema({
        next_cursor: orNull({
          ...cursor.schema,
          description: 'The cursor of the next page; null on the last page.',
        }),
        has_more: { type: 'boolean', description: 'Whether there is a next page.', examples: [true] },
        limit: { ...limit.schema, ...pageSize },
      }),
      examples: [{ next_cursor: next, has_more: true, limit: 20 }],
    },
    links: {
      title: 'Links',
      ...strictObjectSchema({
        next: {
          type: ['string', 'null'],
          format: 'uri-reference',
          maxLength: 4_096,
          description: 'The path of the next page; null on the last page.',
        },
      }),
      examples: [{ next: `${address}?limit=20&cursor=${next}` }],
    },
  });
};

const errorResponse = (status: number, kinds: readonly ErrorKind[], isStored: boolean) => ({
  description: codesOf(kinds)
    .map((code) => `\`${code}\`: ${errorCatalogue[code].advice}`)
    .join('\n\n'),
  headers: headerRefs([
    ...(status === 401 ? (['WWW-Authenticate', 'Link'] as const) : rateLimitHeaders),
    ...(kinds.some(hasRetryAfter) ? (['Retry-After'] as const) : []),
    ...(isStored ? (['Idempotent-Replayed'] as const) : []),
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
