import { limit } from '../listing.ts';
import { snakeCase } from '../names.ts';
import type { Route } from '../route.ts';
import type { Schema } from '../schema.ts';
import { parameterRef } from './components.ts';
import { codesOf, responses } from './responses.ts';

/** One method of one path. */
export const operation = (route: Route) => ({
  operationId: operationIdOf(route),
  summary: route.summary,
  description: describe(route),
  parameters: [...inPath(route), ...inQuery(route), ...inHeaders(route)],
  ...(route.body && { requestBody: bodyOf(route, route.body.schema) }),
  responses: responses(route),
});

/** `Lists the orders of a user` as `listsTheOrdersOfAUser`. */
const operationIdOf = ({ summary }: Route): string =>
  summary
    .split(' ')
    .map((word, place) => (place === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

const describe = ({ permission: { scope, role }, refusals }: Route): string => {
  const whose = role === 'customer' ? '' : `, of a user whose role is ${role} or more`;
  const codes = codesOf(refusals).map((code) => `\`${code}\``);
  return `Needs an API key with the scope \`${scope}\`${whose}.\n\nIt can be refused with ${codes.join(', ')}.`;
};

const inPath = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'An id. What is no UUID does not exist.',
    schema: { type: 'string' },
  }));

const inQuery = ({ filters }: Route) => {
  if (filters === undefined) return [];
  const own = Object.entries(filters).map(([name, { schema }]) =>
    query(snakeCase(name), schema, 'Only what has this value.'),
  );
  return [
    ...own,
    query('limit', limit.schema, 'How many at the most; of more than 100 it is 100.'),
    query('cursor', { type: 'string' }, 'Where to go on: the `next_cursor` of the page before.'),
  ];
};

const query = (name: string, schema: Schema, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

const inHeaders = ({ method, key, answer }: Route) => [
  parameterRef('RequestId'),
  ...(key === 'required' ? [parameterRef('RequiredIdempotencyKey')] : []),
  ...(key === 'honoured' ? [parameterRef('IdempotencyKey')] : []),
  ...(method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? [parameterRef('IfMatch')] : []),
  ...(method === 'GET' && answer.shows === 'one' ? [parameterRef('IfNoneMatch')] : []),
];

const bodyOf = ({ method }: Route, schema: Schema) => ({
  required: true,
  content: {
    'application/json': { schema },
    ...(method === 'PATCH' && { 'application/merge-patch+json': { schema } }),
  },
});
