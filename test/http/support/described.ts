import { describeApi, describeApiClosed } from '#adapters/http/versions.ts';
import { version } from '#bootstrap/process/version.ts';
import { everyUseCase } from '../../support/every-use-case.ts';
import type { Json } from './client.ts';

const asJson = (value: object): Json => JSON.parse(JSON.stringify(value));
const server = { release: version, publicUrl: undefined };

/** The OpenAPI document as it is served: responses are open. */
export const served: Json = asJson(describeApi(everyUseCase, server));

/** The OpenAPI document with exactly what this release sends. It is not published. */
export const closed: Json = asJson(describeApiClosed(everyUseCase, server));

/** The same document with every reference resolved. */
export const withoutReferences = (whole: Json): Json => {
  const known = new Map<string, Json>();
  const at = (reference: string): Json =>
    reference
      .split('/')
      .slice(1)
      .reduce((node, step) => node[step.replaceAll('~1', '/').replaceAll('~0', '~')], whole);
  const resolved = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(resolved);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node;
    const own = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, resolved(inner)]));
    if (typeof $ref !== 'string') return own;
    const target = known.get($ref) ?? resolved(at($ref));
    known.set($ref, target);
    return Object.keys(own).length === 0 ? target : { ...target, ...own };
  };
  return resolved(whole);
};

/** The closed OpenAPI document without references. Requests and responses of the tests are held to it. */
export const document: Json = withoutReferences(closed);

/** The document as it is served, without references. */
export const published: Json = withoutReferences(served);

/** One method of one path in the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Method and path: `GET /v1/products`. */
  readonly target: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Json[];
  readonly parameters: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
  readonly [other: string]: Json;
}

/** The operations of a document without references. */
export const operationsOf = ({ paths }: Json): readonly Operation[] =>
  Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { method, path, target: `${method} ${path}`, ...operation };
    }),
  );

export const operations = operationsOf(document);

/** The operations that respond with a page of a list, of which a cursor tells where it begins. */
export const listOperations = operations.filter(
  ({ operationId, parameters }) =>
    operationId.startsWith('list') && parameters.some(({ name }) => name === 'cursor'),
);

/** The operation with this method and path. @throws when the document has none */
export const operationAt = (target: string): Operation => {
  const operation = operations.find((one) => one.target === target);
  if (operation === undefined) throw new Error(`${target} is not described.`);
  return operation;
};
