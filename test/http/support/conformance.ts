import type { ApiResponse } from './client.ts';
import { type Operation, operations } from './described.ts';
import { hasInexactNumber, pathOf, requestErrors, type SentRequest } from './request-errors.ts';
import { schemaError } from './schema-error.ts';

/** @throws when a request and its response disagree with the document */
export type Conformance = (request: SentRequest, response: ApiResponse) => void;

/**
 * Makes the check of requests and responses against an OpenAPI document. The response must be declared, a request that the document
 * forbids must be rejected, and one that it allows must not be invalid.
 */
export const conformanceTo = (described: readonly Operation[]): Conformance => {
  const patterns = new Map(
    described.map((operation) => [
      operation,
      new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    ]),
  );
  const operationOf = ({ method, address }: SentRequest): Operation | undefined =>
    described.find((one) => one.method === method && patterns.get(one)?.test(pathOf(address)));
  return (request, response) => {
    const operation = operationOf(request);
    const breach =
      operation === undefined ? ofNone(request, response) : breachOf(operation, request, response);
    if (breach !== undefined) {
      throw new Error(`${request.method} ${request.address} ${response.status}: ${breach}\n${response.text}`);
    }
  };
};

/** The check against the document of the API. */
export const requireConformance = conformanceTo(operations);

/** A request without a declared operation must be rejected. */
const ofNone = ({ method, address }: SentRequest, { status }: ApiResponse): string | undefined =>
  /^\/v\d/.test(address) && status < 300 && !['OPTIONS', 'HEAD'].includes(method)
    ? 'nothing is said of such a request'
    : undefined;

const breachOf = (operation: Operation, request: SentRequest, response: ApiResponse): string | undefined => {
  const breach = breachOfAnswer(operation, response);
  if (breach !== undefined) return breach;
  const faults = requestErrors(operation, request);
  if (response.status < 400) {
    return faults.length > 0 ? `it should have been rejected: ${faults.join('; ')}` : undefined;
  }
  return isUnexplained(response) && faults.length === 0 && !hasInexactNumber(request)
    ? 'it is rejected although the document allows it'
    : undefined;
};

/** The messages of rules that no schema can express. */
const beyondSchemas: readonly RegExp[] = [
  /^must be the next_cursor of a page of this list, with the same filters and sort$/,
  /^must be the resume_cursor or next_cursor of a page of this list, with the same filters$/,
  /^must not be given with a cursor$/,
  /^must leave room for all days before the year 10000$/,
  /^reaches the period from \S+, whose sum in [A-Z]{3} exceeds 2\^53-1$/,
  /^must be the name of a time zone in the IANA database, /,
  /^must be in the future$/,
  /^must be well-formed Unicode$/,
  /^must be the order's total, which is \d+ in the minor unit of [A-Z]{3}$/,
  /^must have its price in [A-Z]{3}, (the order's currency|as the first item has)$/,
  /^must be [A-Z]{3}, the (payment|order)'s currency$/,
  /^must be at most the items and shipping together$/,
  /^must have at most (50 names|8192 bytes as JSON in UTF-8)$/,
  /^is required in an address$/,
  /^makes the total too large$/,
  /^must be a multiple of [\d.]+$/,
  /^must be other than 0$/,
  /^is only for (the payment method offline|a payment whose payer is present)$/,
  /^is not for the payment method offline$/,
  /^cannot be (manual|captured|canceled): the payment provider \S+ does not offer it$/,
  /^must be false( for the payment method offline$|: the payment provider )/,
  /^must leave at most 1000000 in stock$/,
  /^must be among those of the role /,
  /^must be \S+ alone for a publishable key$/,
  /^must have a character that is visible$/,
  /^must have (a letter or a number|at most 8 words)$/,
  /^must not (begin|end) with /,
  /whose domain has an ASCII form/,
  /^must be an https URL, such as /,
  /^must have a host whose name can exist: /,
  /^must not have a user name or password$/,
  /^must (be an https URL|not have the address \S+, which is not public), unless WEBHOOK_ALLOW names /,
  /^must (not have a fragment|have the port 443 or one from 1024 to 65535, not \d+)$/,
  /^must be from \d+ to \d+, because the events after it must exist or follow$/,
  /^must have at most 8192 bytes as JSON in UTF-8$/,
  /^must have at most 50 names$/,
  /, other than __proto__, constructor and prototype$/,
];

/** Whether the request was invalid by a rule that a schema could express. */
const isUnexplained = ({ body, status }: ApiResponse): boolean =>
  status === 422 &&
  body?.error?.code === 'VALIDATION_ERROR' &&
  !(body.error.details ?? []).some(({ message }: { message: string }) =>
    beyondSchemas.some((rule) => rule.test(message)),
  );

const breachOfAnswer = (
  { responses }: Operation,
  { status, headers, text, body }: ApiResponse,
): string | undefined => {
  const described = responses[status];
  if (described === undefined) return 'no such status is described';
  const undeclared = [...headers.keys()].filter((name) => !isHttps(name) && !has(described.headers, name));
  if (undeclared.length > 0) return `nothing is said of the headers ${undeclared.join(', ')}`;
  for (const [name, { schema, required }] of Object.entries<Operation>(described.headers)) {
    const value = headers.get(name);
    const fault = value === null ? required && 'is not there' : schemaError(schema, value, 'text');
    if (fault) return `the header ${name} ${fault}`;
  }
  const schema = described.content?.['application/json']?.schema;
  if (schema === undefined) return text === '' ? undefined : 'no body is described';
  return schemaError(schema, body);
};

/** Headers of HTTP itself, which the document does not declare. */
const isHttps = (name: string): boolean =>
  /^(content-type|content-length|date|connection|keep-alive|transfer-encoding|cache-control)$/.test(name);

const has = (headers: object, name: string): boolean =>
  Object.keys(headers).some((known) => known.toLowerCase() === name);
