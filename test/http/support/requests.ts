import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { broken, valid } from './arbitrary.ts';
import type { Json } from './client.ts';
import type { Operation } from './described.ts';
import { requestErrors } from './request-errors.ts';

/** A request generated from the OpenAPI document. */
export interface Generated {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The ids of existing resources, by parameter name; for `id`, by path. */
type Known = (name: string) => readonly string[];

interface RequestParts {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly body: unknown;
}

/** Valid requests with every required part and some optional ones. */
export const validRequests = (operation: Operation, known: Known): fc.Arbitrary<Generated> =>
  validParts(operation, known).map((parts) => written(operation, parts));

/** Valid requests without optional parameters, whose ids exist. */
export const plainRequests = (operation: Operation, known: Known): fc.Arbitrary<Generated> => {
  const required = operation.parameters.filter((parameter) => parameter.required);
  return validParts({ ...operation, parameters: required }, known)
    .map((parts) => ({
      ...parts,
      path: thatExist(parts.path, operation, known),
      body: thatExist(parts.body, operation, known),
    }))
    .map((parts) => written(operation, parts));
};

/** Money whose currency, and largest amount, are those of the order. No schema says so. */
const ofTheOrder: readonly string[] = ['shipping', 'discount'];

/** The same value with existing ids in place of all ids, and without what only the stored data allow. */
const thatExist = <T>(values: T, operation: Operation, known: Known): T => {
  if (typeof values !== 'object' || values === null) return values;
  if (Array.isArray(values)) return values.map((one) => thatExist(one, operation, known)) as T;
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !ofTheOrder.includes(name))
      .map(([name, value]) => [
        name,
        known(name === 'id' ? operation.path : name)[0] ?? thatExist(value, operation, known),
      ]),
  ) as T;
};

/** Requests with one invalid part. */
export const brokenRequests = (operation: Operation, known: Known): fc.Arbitrary<Generated> => {
  const schema = schemaOf(operation);
  const brokenBody = schema === undefined ? fc.constant(undefined) : broken(schema);
  return fc
    .tuple(validParts(operation, known), brokenBody, fc.nat())
    .map(([parts, body, choice]) => {
      const others: readonly RequestParts[] = [
        { ...parts, query: { ...parts.query, not_known: 1 } },
        { ...parts, path: eachAs(parts.path, 'no-uuid') },
        { ...parts, query: { ...parts.query, limit: 0 } },
        { ...parts, query: { ...parts.query, cursor: 'A'.repeat(31) } },
        { ...parts, header: { ...parts.header, 'Idempotency-Key': 'with spaces' } },
        ...(body === undefined ? [] : Array.from({ length: 5 }, () => ({ ...parts, body }))),
      ];
      return written(operation, others[choice % others.length] ?? parts);
    })
    .filter(
      (request) => requestErrors(operation, { ...request, headers: new Headers(request.headers) }).length > 0,
    );
};

const validParts = (operation: Operation, known: Known): fc.Arbitrary<RequestParts> => {
  const schema = schemaOf(operation);
  const body =
    schema === undefined ? fc.constant(undefined) : valid(schema).chain((one) => withKnownIds(one, known));
  return fc.record({
    path: parametersOf(operation, 'path', known),
    query: parametersOf(operation, 'query', known),
    header: parametersOf(operation, 'header', known),
    body,
  });
};

const parametersOf = (
  { parameters, path }: Operation,
  place: string,
  known: Known,
): fc.Arbitrary<Record<string, unknown>> => {
  const these = parameters.filter((parameter) => parameter.in === place);
  const values = these.map(({ name, schema }): [string, fc.Arbitrary<unknown>] => [
    name,
    likely(name === 'id' ? path : name, usual[name]?.(valid(schema)) ?? valid(schema), known),
  ]);
  const requiredKeys = these.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(Object.fromEntries(values), { requiredKeys });
};

/** Typical values of headers, beside all valid ones. A key belongs to one request, so each has its own. */
const usual: Readonly<Record<string, (any: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>>> = {
  limit: (any) => fc.oneof(fc.integer({ min: 1, max: 120 }), any),
  'If-Match': (any) => fc.oneof(fc.constantFrom('"1"', '*', '"1", "2"', 'W/"1"'), any),
  'If-None-Match': (any) => fc.oneof(fc.constantFrom('"1"', '*', 'W/"1"'), any),
  'Idempotency-Key': (any) => any.map((rest) => `${randomUUID()}${rest}`.slice(0, 255)),
};

const likely = (name: string, any: fc.Arbitrary<unknown>, known: Known): fc.Arbitrary<unknown> => {
  const ids = known(name);
  return ids.length === 0
    ? any
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: any });
};

/** Replaces most ids by ids of existing resources. */
const withKnownIds = (body: unknown, known: Known): fc.Arbitrary<unknown> => {
  if (Array.isArray(body)) return fc.tuple(...body.map((one) => withKnownIds(one, known)));
  if (typeof body !== 'object' || body === null) return fc.constant(body);
  const named = Object.entries(body).filter(([name]) => known(name).length > 0);
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
  return fc
    .record({
      ...Object.fromEntries(named.map(([name, value]) => [name, likely(name, fc.constant(value), known)])),
      ...Object.fromEntries(lists.map(([name, value]) => [name, withKnownIds(value, known)])),
    })
    .map((ids) => ({ ...body, ...ids }));
};

const schemaOf = ({ requestBody }: Operation): Json => requestBody?.content['application/json'].schema;

const eachAs = (values: object, value: string): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, value]));

const written = (
  { method, path }: Operation,
  { path: ids, query, header, body }: RequestParts,
): Generated => {
  const requested = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, `${value}`])),
  );
  const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `${ids[name]}`);
  const headers = Object.entries(header).map(([name, value]) => [name, `${value}`.trim()]);
  return {
    method,
    address: requested.size === 0 ? address : `${address}?${requested}`,
    headers: Object.fromEntries(
      body === undefined ? headers : [['Content-Type', 'application/json'], ...headers],
    ),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
};
