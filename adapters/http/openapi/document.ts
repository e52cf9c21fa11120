import { scopes } from '#domain/access.ts';
import type { Route } from '../route.ts';
import { headers, parameters } from './components.ts';
import { operation } from './operation.ts';

interface Version {
  /** The prefix of its paths: `v1`. */
  readonly name: string;
  readonly routes: readonly Route[];
}

const description = `A commerce API whose payments happen exactly once.

Send \`POST /payments\` and \`POST /refunds\` with an \`Idempotency-Key\`, and repeat the request with the same key until the
answer is final: after 409 \`IDEMPOTENCY_KEY_IN_PROGRESS\`, 429 and every 5xx. All other requests that change something take
a key too.`;

/** What the routes say of themselves, as an OpenAPI 3.1 document. */
export const openApi = ({ name, routes }: Version) => ({
  openapi: '3.1.0',
  info: {
    title: 'Portico',
    version: name,
    description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ apiKey: [] }],
  tags: [...new Set(routes.map(tagOf))].map((tag) => ({ name: tag })),
  paths: pathsOf(name, routes),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key, which has some of these scopes: ${scopes.join(', ')}.`,
      },
    },
    schemas: Object.fromEntries(
      routes.flatMap(({ answer: { shown } }) => (shown ? [[shown.name, shown.schema]] : [])),
    ),
    parameters,
    headers,
  },
});

const tagOf = ({ permission }: Route): string => permission.scope.split(':')[0] ?? '';

const pathsOf = (version: string, routes: readonly Route[]) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `/${version}${route.path}`;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = { tags: [tagOf(route)], ...operation(route) };
  }
  return paths;
};
