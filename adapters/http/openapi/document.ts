import type { Schema } from '#adapters/wire/codec.ts';
import type { Route } from '../routing/route.ts';
import { errorExamples, errorSchema } from './error-catalogue.ts';
import { headers, parameters } from './headers.ts';
import { genericAdvice, operation } from './operation.ts';
import { codesByStatus, errorResponsesOf, successSchema } from './responses.ts';
import { namedSchemas } from './schemas.ts';
import { webhooks } from './webhooks.ts';

/** The server that serves the document. */
export interface ServerInfo {
  /** Portico's version: `0.1.0`. */
  readonly release: string;
  /** Where clients reach the API; undefined when it is where they read the document. */
  readonly publicUrl: string | undefined;
}

interface Version extends ServerInfo {
  /** The prefix of its paths: `v1`. */
  readonly name: string;
  readonly routes: readonly Route[];
  /** Descriptions of the tags. A route has the tag that is the last collection of its path with a description here. */
  readonly subjects: Readonly<Record<string, string>>;
  /** The body of what is sent to webhook endpoints. */
  readonly webhookBody: Schema;
}

const description = `A commerce API whose payments happen exactly once.

Send \`POST /payments\`, \`/refunds\` and \`/captures\` with an \`Idempotency-Key\`. Retry with the same key until the response is final:
after 409 \`IDEMPOTENCY_KEY_IN_PROGRESS\`, 429 and every 5xx. Every other POST, PUT and PATCH accepts a key too.

Responses are open: a later release may add fields, statuses, codes and types of events, so ignore fields and values that you do
not know. Requests are closed: unknown fields and parameters are rejected with 422.

HEAD works wherever GET does. OPTIONS lists the methods of a path, without a credential. An unknown path gets 404
\`NOT_FOUND\`, an unknown method 405 \`METHOD_NOT_ALLOWED\`, and a path without a version is redirected with 307.

Errors that many operations share. Each operation explains its own:

${genericAdvice()}`;

/** Renders the routes of a version as an OpenAPI 3.1 document, in its closed form: exactly what this release sends and receives. */
export const openApi = ({ name, routes, subjects, webhookBody, release, publicUrl }: Version) => ({
  openapi: '3.1.0',
  info: {
    title: 'Portico',
    version: release,
    description,
    contact: { name: 'The operator of this server' },
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  },
  servers: [{ url: publicUrl ?? '/', 'x-internal': false }],
  security: [{ apiKey: [] }],
  tags: Object.entries(subjects)
    .map(([tag, about]) => ({ name: tag, description: about }))
    .sort((one, other) => (one.name < other.name ? -1 : 1)),
  paths: pathsOf(`/${name}`, { routes, subjects }),
  webhooks: webhooks(webhookBody, 'webhook-endpoints'),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key, `ptc_…`, or `ptp_…` where it may stand in a web page. It can do what both its own scopes and the role of its user allow. If the operator has configured an identity provider, its access tokens (JWT) work too.',
      },
    },
    schemas: Object.fromEntries(
      [errorSchema([]), webhookBody, ...routes.flatMap(schemasOf)].flatMap(namedSchemas),
    ),
    responses: Object.fromEntries(
      routes.flatMap((route) =>
        errorResponsesOf(route).map(({ name: title, response }) => [title, response]),
      ),
    ),
    examples: errorExamples(routes.flatMap(codesOf)),
    parameters,
    headers,
  },
});

const schemasOf = (route: Route): readonly Schema[] =>
  [route.body?.schema, successSchema(route, '')].filter((schema) => schema !== undefined);

const codesOf = ({ errors }: Route) => codesByStatus(errors).flatMap(([, codes]) => codes);

/** `/users/{user_id}/orders` has the tag `orders`, and `/orders/{order_id}/items` too, because items are no subject. */
const tagsOf = ({ path }: Route, subjects: Version['subjects']): readonly string[] =>
  path
    .split('/')
    .filter((collection) => Object.hasOwn(subjects, collection))
    .slice(-1);

const pathsOf = (prefix: string, { routes, subjects }: Pick<Version, 'routes' | 'subjects'>) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `${prefix}${route.path}`;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      tags: tagsOf(route, subjects),
      ...operation(prefix, route),
    };
  }
  return paths;
};
