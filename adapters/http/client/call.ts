import { type BuiltRequest, buildRequest, type RequestParts } from './build-request.ts';
import { PorticoError } from './error.ts';
import { type ReadResponse, readResponse } from './read-response.ts';
import { withRetries } from './retry.ts';
import type { Answer, Request, Target } from './types.ts';

/** The address of a Portico, and the credential for it. */
export interface Connection {
  /** The server's URL without the version: `https://shop.example`. */
  readonly url: string;
  /** The API key or access token; a function if it changes. */
  readonly key: string | (() => string | Promise<string>);
  /** The timeout of one attempt; 30,000 by default. */
  readonly timeoutMilliseconds?: number;
  /** For how long a call is retried; 60,000 by default. */
  readonly retryForMilliseconds?: number;
  /** @deprecated the former name of `retryForMilliseconds` */
  readonly patienceMilliseconds?: number;
  /** Replaces `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

const defaultRetryForMs = 60_000;

const retryForMsOf = (options: Pick<RequestParts, 'retryForMilliseconds' | 'patienceMilliseconds'>) =>
  options.retryForMilliseconds ?? options.patienceMilliseconds;

/**
 * Sends a request, with retries until the response is final.
 * @throws the signal's reason; TypeError for a request that can never be sent, such as one without an id for its path
 */
export const call = async <T extends Target>(
  connection: Connection,
  target: T,
  request: Request<T> | undefined,
): Promise<Answer<T>> => {
  const parts = (request ?? {}) as RequestParts;
  const built = buildRequest(connection.url, target, parts);
  const read = await withRetries(attempts(connection, built), {
    retryForMs: retryForMsOf(parts) ?? retryForMsOf(connection) ?? defaultRetryForMs,
    signal: parts.signal,
  });
  return toResult(read, built.idempotencyKey) as Answer<T>;
};

/** Makes the attempts of one call. A 404 counts as success when an earlier attempt may have deleted the resource. */
const attempts = (connection: Connection, built: BuiltRequest): (() => Promise<ReadResponse>) => {
  let mayBeDeleted = false;
  return async () => {
    const read = await sendOnce(connection, built);
    if (!(read instanceof PorticoError)) return read;
    if (mayBeDeleted && built.method === 'DELETE' && read.status === 404 && read.code !== 'UNREADABLE') {
      return { status: 204, headers: new Headers(), body: {} };
    }
    mayBeDeleted ||= read.code === 'UNREACHABLE' || read.status >= 500;
    return read;
  };
};

/** @throws TypeError for a key that is not valid in a header, and any error of the function that returns the key */
const sendOnce = async (connection: Connection, built: BuiltRequest): Promise<ReadResponse> => {
  const { fetch = globalThis.fetch, key, timeoutMilliseconds = 30_000 } = connection;
  const { method, url, body, idempotencyKey, signal } = built;
  const headers = new Headers(built.headers);
  headers.set('Authorization', `Bearer ${typeof key === 'string' ? key : await key()}`);
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return await readResponse(response, idempotencyKey);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = timeout.aborted
      ? `No response within ${timeoutMilliseconds} ms.`
      : `No response (${reasonIn(cause)}).`;
    return new PorticoError('UNREACHABLE', message, { status: 0, idempotencyKey, cause });
  }
};

/** Node has the reason in the cause: `ECONNREFUSED`. Browsers hide it. */
const reasonIn = (error: unknown): string => {
  const { message, cause } = error as Error;
  const { code, message: causeMessage = message } = (cause ?? {}) as {
    readonly code?: string;
    readonly message?: string;
  };
  return code ?? causeMessage;
};

const toResult = (read: ReadResponse, idempotencyKey: string | undefined) => {
  if (read instanceof PorticoError) return { ok: false, error: read };
  const { status, headers, body } = read;
  return {
    ok: true,
    status,
    data: body.data,
    ...(body.pagination !== undefined && { pagination: body.pagination }),
    requestId: headers.get('X-Request-Id') ?? undefined,
    etag: headers.get('ETag') ?? undefined,
    replayed: headers.get('Idempotent-Replayed') === 'true',
    idempotencyKey,
    headers,
  };
};
