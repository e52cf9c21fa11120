import { openApi } from '#adapters/http/openapi/document.ts';
import type { Route } from '#adapters/http/routing/route.ts';
import { subjects } from '#adapters/http/v1/routes.ts';
import { webhookBodySchema } from '#adapters/http/v1/webhook-bodies.ts';
import { latest, versions } from '#adapters/http/versions.ts';
import type { UseCases } from '#application/application.ts';
import { everyUseCase } from '../../support/every-use-case.ts';
import type { Json } from '../support/client.ts';
import { type Operation, operationsOf, withoutReferences } from '../support/described.ts';

/** A table of routes: that of a version of the API, or one of a test. */
export type Table = (useCases: UseCases) => readonly Route[];

/** A route beside its operation in the OpenAPI document. */
export interface Declared extends Operation {
  readonly route: Route;
}

/** Every route of a table. Nothing but its declaration is known of it. */
export const declaredIn = (table: Table): readonly Declared[] => {
  const routes = table(everyUseCase);
  const document: Json = openApi({
    ...{ name: latest, routes, subjects, webhookBody: webhookBodySchema },
    ...{ release: '1.2.3', publicUrl: undefined },
  });
  return operationsOf(withoutReferences(JSON.parse(JSON.stringify(document)))).map((operation) => {
    const route = routes.find(({ method, path }) => operation.target === `${method} /${latest}${path}`);
    if (route === undefined) throw new Error(`No route is described as ${operation.target}.`);
    return { ...operation, route };
  });
};

/** Starts a service with another table of routes, which the API reads while it starts. */
export const startWith = async (table: Table, start: () => Promise<void>): Promise<void> => {
  const right = versions[latest];
  versions[latest] = table as typeof right;
  try {
    await start();
  } finally {
    versions[latest] = right;
  }
};

/** `page` for a list with cursors, `one` for a resource, `whole` and `nothing`. */
export const contentOf = ({ route }: Declared) => route.responder.content;

/** Whether its path ends with the id of a resource. */
export const isOfItem = ({ path }: Operation): boolean => path.endsWith('}');

/** The path of the collection that an item is in. */
export const collectionOf = (path: string): string => path.replace(/\/\{\w+\}$/, '');

export const hasBody = ({ requestBody }: Operation): boolean => requestBody !== undefined;

/** The schema of its body; the first of its forms, where it has several. */
export const bodySchemaOf = ({ requestBody }: Operation): Json => {
  const { schema } = requestBody.content['application/json'];
  return schema.anyOf?.[0] ?? schema;
};

/** The names of its parameters in the query string. */
export const queryNamesOf = ({ parameters }: Operation): readonly string[] =>
  parameters.filter((one) => one.in === 'query').map(({ name }) => name);

/** The schema of one resource in its response; undefined when it has no body. */
export const resourceSchemaOf = ({ route, responses }: Declared): Json => {
  const { data } = responses[route.responder.status]?.content?.['application/json'].schema.properties ?? {};
  return data?.items ?? data;
};
