import { isRequired, type Schema, snakeCase } from '#adapters/wire/codec.ts';
import { id } from '#adapters/wire/codecs.ts';
import { Role, roles } from '#domain/access.ts';
import type { ErrorKind } from '../errors.ts';
import { kindIn, singular } from '../routing/collections.ts';
import { expandCodec, maxExpandedPageSize } from '../routing/expansions.ts';
import { start } from '../routing/feed-query.ts';
import { cursor, limit, sort } from '../routing/list-query.ts';
import type { Method, Route } from '../routing/route.ts';
import { genericErrors } from '../routing/route-errors.ts';
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';
import type { parameters } from './headers.ts';
import { codesByStatus, exampleCursor, exampleFeedCursor, responses } from './responses.ts';
import { exampleOf, requestExampleOf, withReferences } from './schemas.ts';

/** The OpenAPI operation of a route. @param prefix the version's: `/v1` */
export const operation = (prefix: string, route: Route) => ({
  operationId: operationIdOf(route),
  summary: route.summary,
  description: descriptionOf(route),
  security: [{ apiKey: [route.permission.scope] }],
  'x-required-role': leastRole(route),
  parameters: [...inPath(route), ...inQuery(route, `${prefix}${exampleAddress(route)}`), ...inHeaders(route)],
  ...(route.body && { requestBody: bodyOf(route, route.body.schema) }),
  responses: responses(route, `${prefix}${exampleAddress(route)}`),
});

/** `GET /users/{user_id}/orders` is `listUserOrders`. Generated clients name their methods after it, so it never changes. */
const operationIdOf = ({ method, path, responder }: Route): string => {
  const isList = responder.content === 'page' || responder.content === 'whole';
  const collections = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const nouns = collections.map((collection, index) =>
    capitalized(isList && index === collections.length - 1 ? collection : singular(collection)),
  );
  return [isList ? 'list' : verbs[method], ...nouns].join('');
};

const verbs: Readonly<Record<Method, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/** `api-keys` is `ApiKeys`. */
const capitalized = (words: string): string =>
  words.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The lowest role whose users can have the scope and pass the role check. */
const leastRole = ({ permission: { scope, role } }: Route): Role | undefined =>
  roles.find((one) => Role.isAtLeast(one, role) && Role.scopes(one).includes(scope));

const descriptionOf = (route: Route): string => {
  const role = leastRole(route);
  const keyOwner = role === 'customer' ? 'of a user of any role' : `of a user whose role is ${role} or more`;
  const needsKey = route.keyNeed === undefined ? '' : ` ${route.keyNeed} an \`Idempotency-Key\` is required.`;
  const needs = `Needs an API key with the scope \`${route.permission.scope}\`, ${keyOwner}.${needsKey}`;
  const generic = new Set(codesByStatus(genericErrors).flatMap(([, codes]) => codes));
  const own = adviceOn(route.errors).filter(({ code }) => !generic.has(code));
  return own.length > 0 ? `${needs}\n\nErrors of its own:\n\n${list(own)}` : needs;
};

/** The errors that many operations share, as a list in Markdown. */
export const genericAdvice = (): string => list(adviceOn(genericErrors));

interface Advice {
  readonly code: ErrorCode;
  readonly line: string;
}

const adviceOn = (errors: readonly ErrorKind[]): readonly Advice[] =>
  codesByStatus(errors).flatMap(([status, codes]) =>
    codes.map((code) => ({ code, line: `- ${status} \`${code}\`: ${errorCatalogue[code].advice}` })),
  );

const list = (advice: readonly Advice[]): string => advice.map(({ line }) => line).join('\n');

/** The segments of a path. A placeholder is an id of the collection before it, and has that id's schema. */
const pathSegments = ({ path }: Route) =>
  path.split('/').map((segment, index, all) => ({
    segment,
    schema: segment.startsWith('{') ? id(kindIn(all[index - 1] ?? '')).schema : undefined,
  }));

const exampleAddress = (route: Route): string =>
  pathSegments(route)
    .map(({ segment, schema }) => (schema ? exampleOf(schema) : segment))
    .join('/');

const inPath = (route: Route) =>
  pathSegments(route).flatMap(({ segment, schema }) => {
    const about = { description: 'An id. An id that is not a UUID gets 404.', schema };
    return schema ? [{ name: segment.slice(1, -1), in: 'path', required: true, ...about }] : [];
  });

/** @param address the route's path with example ids, to whose list the example of the cursor belongs */
const inQuery = ({ filters, expansions, responder }: Route, address: string) => [
  ...inListQuery(filters, responder, address),
  ...(expansions === undefined
    ? []
    : [
        query(
          'expand',
          expandCodec(expansions).schema,
          `What the field \`expanded\` holds, each as its own GET shows it to you. A page has at most ${maxExpandedPageSize} resources then, and no response an ETag.`,
        ),
      ]),
];

const inListQuery = (
  filters: Route['filters'],
  { content, view, isFeed }: Route['responder'],
  address: string,
) => {
  if (filters === undefined || view === undefined) return [];
  if (content === 'whole')
    return Object.entries(filters).map(([name, field]) => ({
      ...query(snakeCase(name), field.schema, field.schema.description ?? ''),
      required: isRequired(field),
    }));
  const own = Object.entries(filters).map(([name, { schema }]) =>
    query(snakeCase(name), schema, aboutFilter(snakeCase(name), schema, view.schema, address)),
  );
  return [
    ...own,
    isFeed
      ? query(
          'start',
          start.schema,
          'In place of a cursor: an empty page, whose `resume_cursor` is the end of the feed.',
        )
      : query(
          'sort',
          sort.schema,
          'The newest first, in descending order of ids. Without it the oldest first.',
        ),
    query('limit', limit.schema, 'The maximum size of the page. A greater value than 100 counts as 100.'),
    query(
      'cursor',
      {
        ...cursor.schema,
        examples: [isFeed ? exampleFeedCursor(address) : exampleCursor(view.schema, address)],
      },
      isFeed
        ? 'The `resume_cursor` of an earlier page, with the same filters.'
        : 'The `next_cursor` of the previous page, with the same filters and sort.',
    ),
  ];
};

/**
 * What a filter finds. One that is a field of the resource is described by it: `Only reviews of this product.`, `Only orders with this
 * status.`, followed by the field's description of its values. Any other describes itself.
 */
const aboutFilter = (name: string, schema: Schema, resource: Schema, address: string): string => {
  const { description = '' } = schema;
  if (resource.properties?.[name] === undefined || description.startsWith('Only ')) return description;
  const resources = address.split('/').at(-1)?.replaceAll('-', ' ').replace('api', 'API');
  const [, owner] = /^(?!external)(\w+)_id$/.exec(name) ?? [];
  if (owner !== undefined) return `Only ${resources} of this ${owner}.`;
  const field = name.replaceAll('_', ' ').replace('sku', 'SKU');
  return `Only ${resources} with this ${field}. ${description}`.trim();
};

/** A parameter, without the description of its schema, which repeats its own or is about the field of a body. */
const query = (name: string, { description: _, ...schema }: Schema, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: withReferences(schema),
});

const parameterRef = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` });

const inHeaders = ({ method, idempotencyKey, responder, canWait, errors }: Route) => [
  ...(idempotencyKey === 'required' ? [parameterRef('RequiredIdempotencyKey')] : []),
  ...(idempotencyKey === 'optional' ? [parameterRef('IdempotencyKey')] : []),
  ...(method !== 'POST' && (responder.content === 'one' || responder.content === 'nothing')
    ? [parameterRef('IfMatch'), parameterRef('IfNoneMatch')]
    : []),
  ...(canWait || errors.includes('key-in-progress') ? [parameterRef('Prefer')] : []),
  parameterRef('RequestId'),
];

const bodyOf = (route: Route, schema: Schema) => {
  const content = {
    schema: withReferences(schema),
    example: requestExampleOf(schema, leastRole(route) ?? 'admin'),
  };
  return {
    required: true,
    content: {
      'application/json': content,
      ...(route.method === 'PATCH' && { 'application/merge-patch+json': content }),
    },
  };
};
