import { mintToken } from '#adapters/auth/key-authenticator.ts';
import { describeApi } from '#adapters/http/versions.ts';
import { sandboxProvider } from '#adapters/payment/sandbox.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { useCases } from '#application/application.ts';
import { machineClock, newId } from '../../support/machine.ts';
import type { Json } from './client.ts';

const { sandboxLedger } = await openMemory();

/** What the API says that it takes and answers, as it is served. */
export const served: Json = JSON.parse(
  JSON.stringify(
    describeApi(
      useCases({ clock: machineClock, newId, mintToken, provider: sandboxProvider(sandboxLedger) }),
    ),
  ),
);

const known = new Map<string, Json>();

/** The same with everything in its place that is referred to. */
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

const at = (reference: string): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce((node, step) => node[step.replaceAll('~1', '/').replaceAll('~0', '~')], served);

/** What the API says, without references. */
export const document: Json = resolved(served);

/** One method of one path, as it is described. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Both: `GET /v1/products`. */
  readonly target: string;
  readonly description: string;
  readonly security: readonly Json[];
  readonly parameters: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
  readonly [other: string]: Json;
}

export const operations: readonly Operation[] = Object.entries<Json>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<Json>(methods).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { method, path, target: `${method} ${path}`, ...operation };
    }),
);

/** The operation with that method and path, as they are written in the description. */
export const operationAt = (target: string): Operation => {
  const operation = operations.find((one) => one.target === target);
  if (operation === undefined) throw new Error(`${target} is not described.`);
  return operation;
};
