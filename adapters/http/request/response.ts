import { randomUUID } from 'node:crypto';
import { containsCredential, containsOwnCredential } from '#adapters/support/credentials.ts';
import { type PublicError, toPublicError } from '../errors.ts';
import type { ApiResponse, Context } from './context.ts';
import { notifyResponded } from './node-response.ts';

/** The CORS headers that an operator configures. */
export interface CorsOptions {
  readonly origin: string;
  readonly methods: string;
  readonly headers: string;
}

/** The headers of every response, errors included (specification, section 5). `X-Request-Id` is added per request. */
export const commonHeaders = ({
  origin,
  methods,
  headers,
}: CorsOptions): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': headers,
});

/** Visible ASCII without `<` and `>`, so that a page that shows the id cannot read it as markup. */
const safeRequestId = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;

/**
 * The client's own request id if it is safe to repeat in logs and responses, else a new UUID.
 * @param authorization the Authorization header, whose credential must not be part of it
 */
export const requestIdOf = (header: string | string[] | undefined, authorization?: string): string =>
  typeof header === 'string' &&
  safeRequestId.test(header) &&
  !containsCredential(header) &&
  !containsOwnCredential(header, authorization)
    ? header
    : randomUUID();

/** An error in the envelope that all error responses share. */
export const errorResponse = (
  { status, code, message, details, headers }: PublicError,
  requestId: string,
): ApiResponse => {
  const error = details.length > 0 ? { code, message, details } : { code, message };
  return { status, headers, body: JSON.stringify({ error, request_id: requestId }), errorCode: code };
};

const requestIdPlaceholder = '<id>';

/** Renders an error response once, so that rejecting a request costs no more than inserting its request id. */
export const prerenderedError = (error: Error): ((requestId: string) => ApiResponse) => {
  const { body, ...rest } = errorResponse(toPublicError(error), requestIdPlaceholder);
  const [before = '', after = ''] = (body ?? '').split(JSON.stringify(requestIdPlaceholder));
  return (requestId) => ({ ...rest, body: before + JSON.stringify(requestId) + after });
};

/** A response of Node whose headers are set. */
interface Endable {
  end(body: string | undefined): unknown;
}

interface PendingEnd {
  readonly response: Endable;
  readonly body: string | undefined;
}

/** A batch of this size is written at once, so that a long turn does not hold back responses. */
const maxBatchSize = 64;

let pending: PendingEnd[] = [];

const flush = (): void => {
  const batch = pending;
  pending = [];
  for (const { response, body } of batch) response.end(body);
};

/**
 * Write coalescing: ends the responses of one turn of the event loop together at its end, or once a batch is full. Each write
 * wakes its client; a client that an earlier write of the batch has woken costs no further wake-up.
 */
export const endWithTurn = (response: Endable, body: string | undefined): void => {
  if (pending.length === 0) setImmediate(flush);
  pending.push({ response, body });
  if (pending.length === maxBatchSize) flush();
};

export const jsonMediaType = 'application/json; charset=utf-8';

/**
 * Sends a response. Does nothing if the headers are sent already (after a timeout response) or the client has disconnected.
 * It bypasses Koa's response, because one `writeHead` costs a fraction of setting a dozen headers.
 */
export const sendResponse = (
  { req, res, state }: Context,
  { status, headers, body, errorCode }: ApiResponse,
): void => {
  if (res.headersSent || res.destroyed) return;
  state.errorCode = errorCode;
  const fields = state.headers;
  for (const name in headers) fields.push(name, headers[name] ?? '');
  if (body !== null)
    fields.push('Content-Type', jsonMediaType, 'Content-Length', `${Buffer.byteLength(body)}`);
  else if (status !== 204 && status !== 304) fields.push('Content-Length', '0');
  res.writeHead(status, fields);
  notifyResponded(res);
  endWithTurn(res, body === null || req.method === 'HEAD' ? undefined : body);
};
