import { isExact } from '#adapters/wire/json.ts';
import type { Json } from './client.ts';
import type { Operation } from './described.ts';
import { schemaError } from './schema-error.ts';

/** A request as the test sent it. */
export interface SentRequest {
  readonly method: string;
  /** The path and the query string. */
  readonly address: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
}

export const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** The errors that the document finds in a request's path, query, headers and body. */
export const requestErrors = (operation: Operation, request: SentRequest): readonly string[] => [
  ...faultsOfPath(operation, request),
  ...faultsOfQuery(operation, request),
  ...faultsOfHeaders(operation, request),
  ...faultsOfBody(operation, request),
];

const parametersIn = ({ parameters }: Operation, place: string): readonly Json[] =>
  parameters.filter((parameter) => parameter.in === place);

const faultsOfPath = (operation: Operation, { address }: SentRequest): readonly string[] => {
  const steps = pathOf(address).split('/');
  const names = operation.path.split('/');
  return parametersIn(operation, 'path').flatMap(({ name, schema }) => {
    const fault = schemaError(schema, decoded(steps[names.indexOf(`{${name}}`)] ?? ''));
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const faultsOfQuery = (operation: Operation, { address }: SentRequest): readonly string[] => {
  const given = [...new URLSearchParams(address.split('?')[1] ?? '')];
  const known = parametersIn(operation, 'query');
  const names = given.map(([name]) => name);
  const missing = known.filter(({ name, required }) => required && !names.includes(name));
  const faults = given.flatMap(([name, value], place) => {
    const parameter = known.find((one) => one.name === name);
    if (parameter === undefined) return [`${name} is not described`];
    if (names.indexOf(name) !== place) return [`${name} is given twice`];
    const fault = schemaError(parameter.schema, value, 'text');
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  return [...missing.map(({ name }) => `${name} is missing`), ...faults];
};

const faultsOfHeaders = (operation: Operation, { headers }: SentRequest): readonly string[] =>
  parametersIn(operation, 'header').flatMap(({ name, required, schema }) => {
    const value = headers.get(name);
    const fault = value === null ? required && 'is missing' : schemaError(schema, value, 'text');
    return fault ? [`${name} ${fault}`] : [];
  });

const faultsOfBody = ({ requestBody }: Operation, { headers, body }: SentRequest): readonly string[] => {
  if (requestBody === undefined) return [];
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
  const described = requestBody.content[type.trim().toLowerCase()];
  if (described === undefined) return [`a body of ${type || 'no type'} is not described`];
  const value = read(body ?? '');
  if (value === undefined) return ['the body is no JSON'];
  const fault = schemaError(described.schema, value);
  return fault === undefined ? [] : [`the body: ${fault}`];
};

/** Whether the body has a number that a double cannot hold exactly. */
export const hasInexactNumber = ({ body }: SentRequest): boolean => {
  let isLost = false;
  const look = (_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown => {
    if (typeof value === 'number' && source !== undefined)
      isLost ||= Object.is(value, -0) || !isExact(source, value);
    return value;
  };
  if (typeof body === 'string') JSON.parse(body, look);
  return isLost;
};

const read = (body: string | Uint8Array): unknown => {
  try {
    // Without a byte order mark, as a decoder reads it.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body)));
  } catch {
    return undefined;
  }
};
