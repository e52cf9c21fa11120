import { id } from '#adapters/wire/codecs.ts';
import type { Schema } from '#adapters/wire/json-schema.ts';
import { snakeCase } from '#adapters/wire/snake-case.ts';
import { Role, roles } from '#domain/access.ts';
import { cursor, limit } from '../routing/list-query.ts';
import type { Method, Route } from '../routing/route.ts';
import { errorCatalogue } from './error-catalogue.ts';
import type { parameters } from './headers.ts';
import { codesByStatus, responses } from './responses.ts';
import { exampleOf, withReferences } from './schemas.ts';

/** One method of one path. */
export const operation = (prefix: string, route: Route) => ({
  operationId: operationIdOf(route),
  summary: route.summary,
  description: describe(route),
  security: [{ apiKey: [route.permission.scope] }],
  'x-required-role': leastRole(route),
  parameters: [...inPath(route), ...inQuery(route), ...inHeaders(route)],
  ...(route.body && { requestBody: bodyOf(route, route.body.schema) }),
  responses: responses(route, `${prefix}${exampleAddress(route)}`),
});

/** `GET /users/{user_id}/orders` as `listUserOrders`. Generated clients call their methods so. */
const operationIdOf = ({ method, path, responder: answer }: Route): string => {
  const isList = answer.content === 'page';
  const things = path.split('/').filter((step) => step !== '' && !step.startsWith('{'));
  const named = things.map((thing, place) =>
    capitalized(isList && place === things.length - 1 ? thing : singular(thing)),
  );
  return [isList ? 'list' : verbs[method], ...named].join('');
};

const verbs: Readonly<Record<Method, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

const singular = (collection: string): string => collection.replace(/s$/, '');

/** `api-keys` as `ApiKeys`. */
const capitalized = (words: string): string =>
  words.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The least trusted who can have a key for it. */
const leastRole = ({ permission: { scope, role } }: Route): Role | undefined =>
  roles.find((one) => Role.isAtLeast(one, role) && Role.scopes(one).includes(scope));

const describe = (route: Route): string => {
  const role = leastRole(route);
  const whose = role === 'customer' ? 'of a user of any role' : `of a user whose role is ${role} or more`;
  const refusals = codesByStatus(route.errors).flatMap(([status, codesOfIt]) =>
    codesOfIt.map((code) => `- ${status} \`${code}\`: ${errorCatalogue[code].advice}`),
  );
  return [
    `Needs an API key with the scope \`${route.permission.scope}\`, ${whose}.\n\nIt can be refused with:\n`,
    ...refusals,
  ].join('\n');
};

/** The steps of a path, and of what each placeholder is the id: one of the collection before it. */
const pathSegments = ({ path }: Route) =>
  path.split('/').map((step, place, all) => ({
    step,
    schema: step.startsWith('{') ? id(kindIn(all[place - 1] ?? '')).schema : undefined,
  }));

const kindIn = (collection: string): string => (collection === 'items' ? 'order-item' : singular(collection));

const exampleAddress = (route: Route): string =>
  pathSegments(route)
    .map(({ step, schema }) => (schema ? exampleOf(schema) : step))
    .join('/');

const inPath = (route: Route) =>
  pathSegments(route).flatMap(({ step, schema }) => {
    const about = { description: 'An id. What is no UUID does not exist.', schema };
    return schema ? [{ name: step.slice(1, -1), in: 'path', required: true, ...about }] : [];
  });

const inQuery = ({ filters }: Route) => {
  if (filters === undefined) return [];
  const own = Object.entries(filters).map(([name, { schema }]) =>
    query(snakeCase(name), schema, 'Only what has this value.'),
  );
  return [
    ...own,
    query('limit', limit.schema, 'How many at the most; of more than 100 it is 100.'),
    query('cursor', cursor.schema, 'Where to go on: the `next_cursor` of the page before.'),
  ];
};

const query = (name: string, schema: Schema, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: withReferences(schema),
});

const parameterRef = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` });

const inHeaders = ({ method, idempotencyKey: key, responder: answer }: Route) => [
  ...(key === 'required' ? [parameterRef('RequiredIdempotencyKey')] : []),
  ...(key === 'optional' ? [parameterRef('IdempotencyKey')] : []),
  ...(method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? [parameterRef('IfMatch')] : []),
  ...(method === 'GET' && answer.content === 'one' ? [parameterRef('IfNoneMatch')] : []),
  parameterRef('RequestId'),
];

const bodyOf = ({ method }: Route, schema: Schema) => {
  const content = { schema: withReferences(schema), example: exampleOf(schema) };
  return {
    required: true,
    content: {
      'application/json': content,
      ...(method === 'PATCH' && { 'application/merge-patch+json': content }),
    },
  };
};
