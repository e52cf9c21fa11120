import type { Schema } from '#adapters/wire/json-schema.ts';
import { isFinalKind } from '#application/idempotency/outcome.ts';
import { type ErrorKind, meanings, saysWhenToRetry } from '../errors.ts';
import { cursor, limit, longestPage } from '../routing/list-query.ts';
import type { Route } from '../routing/route.ts';
import { envelopeOf } from './envelope.ts';
import { type Code, codes } from './error-catalogue.ts';
import { everywhere, type HeaderName, location } from './headers.ts';
import { closed, exampleOf, referring } from './schemas.ts';

/** The statuses of these refusals in their order, and the codes that a client meets with each. */
export const codesByStatus = (
  refusals: readonly ErrorKind[],
): readonly (readonly [number, readonly Code[]])[] =>
  kindsByStatus(refusals).map(([status, kinds]) => [status, codesOf(kinds)]);

const kindsByStatus = (refusals: readonly ErrorKind[]) =>
  Object.entries(Object.groupBy(refusals, (kind) => meanings[kind].status)).map(
    ([status, kinds = []]) => [Number(status), kinds] as const,
  );

const codesOf = (kinds: readonly ErrorKind[]): readonly Code[] => [
  ...new Set(kinds.map((kind) => meanings[kind].code)),
];

/**
 * Everything that can come back, by status.
 * @param address of the route, with an id in each place
 */
export const responses = (route: Route, address: string) => ({
  [route.answer.status]: success(route, address),
  ...(route.method === 'GET' && route.answer.shows === 'one' && { 304: notModified }),
  ...Object.fromEntries(
    refusalsOf(route).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  ),
});

/** The ways in which a route refuses. Routes that refuse with the same codes share them, by name. */
export const refusalsOf = ({ refusals, key }: Route) =>
  kindsByStatus(refusals).map(([status, kinds]) => {
    const isRemembered = key !== 'ignored' && kinds.some(isFinalKind);
    const name = [status, ...codesOf(kinds), ...(isRemembered ? ['replayed'] : [])].join('.');
    return { status, name, response: refusal(status, kinds, isRemembered) };
  });

const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...names, ...everywhere].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const rateLimit: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What a route answers when all goes well; undefined when that has no body. */
export const shownBy = ({ answer: { shows, shown } }: Route, address: string): Schema | undefined =>
  shown && (shows === 'page' ? pageOf(shown.schema, address) : closed({ data: shown.schema }));

const success = (route: Route, address: string) => {
  const { status, shows, shown } = route.answer;
  const schema = shownBy(route, address);
  const name = shown?.schema.title;
  return {
    description:
      name === undefined ? 'Done.' : shows === 'page' ? `A page: each is a ${name}.` : `The ${name}.`,
    headers: {
      ...headerRefs([
        ...rateLimit,
        ...(route.key === 'ignored' ? [] : (['Idempotent-Replayed'] as const)),
        ...(shows === 'one' ? (['ETag'] as const) : []),
      ]),
      ...(status === 201 && { Location: location(`${address}/${exampleId(shown?.schema)}`) }),
    },
    ...(schema && {
      content: { 'application/json': { schema: referring(schema), example: exampleOf(schema) } },
    }),
  };
};

const exampleId = ({ properties: { id } = {} }: Schema = {}) => id && exampleOf(id);

const notModified = {
  description: 'The version that is known is the latest.',
  headers: headerRefs([...rateLimit, 'ETag']),
};

const orNull = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] });

const ofPage: Schema = { format: 'int32', maximum: longestPage, description: 'How long a page is.' };

const pageOf = (item: Schema, address: string): Schema =>
  closed({
    data: { type: 'array', items: item, maxItems: longestPage },
    pagination: {
      title: 'Pagination',
      ...closed({
        next_cursor: orNull({
          ...cursor.schema,
          description: 'Where the next page begins; null on the last.',
        }),
        has_more: { type: 'boolean', description: 'Whether there is a next page.', examples: [true] },
        limit: { ...limit.schema, ...ofPage },
      }),
    },
    links: {
      title: 'Links',
      ...closed({
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

const refusal = (status: number, kinds: readonly ErrorKind[], isRemembered: boolean) => ({
  description: codesOf(kinds)
    .map((code) => `\`${code}\`: ${codes[code].remedy}`)
    .join('\n\n'),
  headers: headerRefs([
    ...(status === 401 ? (['WWW-Authenticate'] as const) : rateLimit),
    ...(kinds.some(saysWhenToRetry) ? (['Retry-After'] as const) : []),
    ...(isRemembered ? (['Idempotent-Replayed'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: referring(envelopeOf(codesOf(kinds))),
      examples: Object.fromEntries(
        codesOf(kinds).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});
