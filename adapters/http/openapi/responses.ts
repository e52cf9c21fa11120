import type { Schema } from '#adapters/wire/json-schema.ts';
import { isReplayableKind } from '#application/idempotency/idempotency-record.ts';
import { type ErrorKind, hasRetryAfter, statusAndCode } from '../errors.ts';
import { cursor, limit, maxPageSize } from '../routing/list-query.ts';
import type { Route } from '../routing/route.ts';
import { envelopeOf } from './envelope.ts';
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';
import { commonHeaders, type HeaderName, locationHeader } from './headers.ts';
import { exampleOf, strictObjectSchema, withReferences } from './schemas.ts';

/** The statuses of these refusals in their order, and the codes that a client meets with each. */
export const codesByStatus = (
  refusals: readonly ErrorKind[],
): readonly (readonly [number, readonly ErrorCode[]])[] =>
  kindsByStatus(refusals).map(([status, kinds]) => [status, codesOf(kinds)]);

const kindsByStatus = (refusals: readonly ErrorKind[]) =>
  Object.entries(Object.groupBy(refusals, (kind) => statusAndCode[kind].status)).map(
    ([status, kinds = []]) => [Number(status), kinds] as const,
  );

const codesOf = (kinds: readonly ErrorKind[]): readonly ErrorCode[] => [
  ...new Set(kinds.map((kind) => statusAndCode[kind].code)),
];

/**
 * Everything that can come back, by status.
 * @param address of the route, with an id in each place
 */
export const responses = (route: Route, address: string) => ({
  [route.responder.status]: success(route, address),
  ...(route.method === 'GET' && route.responder.content === 'one' && { 304: notModified }),
  ...Object.fromEntries(
    errorResponsesOf(route).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  ),
});

/** The ways in which a route refuses. Routes that refuse with the same codes share them, by name. */
export const errorResponsesOf = ({ errors: refusals, idempotencyKey: key }: Route) =>
  kindsByStatus(refusals).map(([status, kinds]) => {
    const isRemembered = key !== 'ignored' && kinds.some(isReplayableKind);
    const name = [status, ...codesOf(kinds), ...(isRemembered ? ['replayed'] : [])].join('.');
    return { status, name, response: errorResponse(status, kinds, isRemembered) };
  });

const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...names, ...commonHeaders].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const rateLimit: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What a route answers when all goes well; undefined when that has no body. */
export const successSchema = (
  { responder: { content: shows, view: shown } }: Route,
  address: string,
): Schema | undefined =>
  shown && (shows === 'page' ? pageOf(shown.schema, address) : strictObjectSchema({ data: shown.schema }));

const success = (route: Route, address: string) => {
  const { status, content: shows, view: shown } = route.responder;
  const schema = successSchema(route, address);
  const name = shown?.schema.title;
  return {
    description:
      name === undefined ? 'Done.' : shows === 'page' ? `A page: each is a ${name}.` : `The ${name}.`,
    headers: {
      ...headerRefs([
        ...rateLimit,
        ...(route.idempotencyKey === 'ignored' ? [] : (['Idempotent-Replayed'] as const)),
        ...(shows === 'one' ? (['ETag'] as const) : []),
      ]),
      ...(status === 201 && { Location: locationHeader(`${address}/${exampleId(shown?.schema)}`) }),
    },
    ...(schema && {
      content: { 'application/json': { schema: withReferences(schema), example: exampleOf(schema) } },
    }),
  };
};

const exampleId = ({ properties: { id } = {} }: Schema = {}) => id && exampleOf(id);

const notModified = {
  description: 'The version that is known is the latest.',
  headers: headerRefs([...rateLimit, 'ETag']),
};

const orNull = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] });

const pageSize: Schema = { format: 'int32', maximum: maxPageSize, description: 'How long a page is.' };

const pageOf = (item: Schema, address: string): Schema =>
  strictObjectSchema({
    data: { type: 'array', items: item, maxItems: maxPageSize },
    pagination: {
      title: 'Pagination',
      ...strictObjectSchema({
        next_cursor: orNull({
          ...cursor.schema,
          description: 'Where the next page begins; null on the last.',
        }),
        has_more: { type: 'boolean', description: 'Whether there is a next page.', examples: [true] },
        limit: { ...limit.schema, ...pageSize },
      }),
    },
    links: {
      title: 'Links',
      ...strictObjectSchema({
        next: {
          type: ['string', 'null'],
          format: 'uri-reference',
          maxLength: 4_096,
          description: 'The next page; null on the last.',
        },
      }),
      examples: [{ next: `${address}?limit=20&cursor=${exampleOf(cursor.schema)}` }],
    },
  });

const errorResponse = (status: number, kinds: readonly ErrorKind[], isStored: boolean) => ({
  description: codesOf(kinds)
    .map((code) => `\`${code}\`: ${errorCatalogue[code].advice}`)
    .join('\n\n'),
  headers: headerRefs([
    ...(status === 401 ? (['WWW-Authenticate'] as const) : rateLimit),
    ...(kinds.some(hasRetryAfter) ? (['Retry-After'] as const) : []),
    ...(isStored ? (['Idempotent-Replayed'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: withReferences(envelopeOf(codesOf(kinds))),
      examples: Object.fromEntries(
        codesOf(kinds).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});
