import { type BuiltRequest, buildRequest, type RequestParts } from './build-request.ts';
import { PorticoError } from './error.ts';
import { type ReadResponse, readResponse } from './read-response.ts';
import type { Request, Target } from './request.ts';
import type { Answer } from './response.ts';
import { withRetries } from './retry.ts';

/** Where a Portico is, and who asks. */
export interface Connection {
  /** Without the version: `https://shop.example`. */
  readonly url: string;
  /** The API key; a function where it changes now and then. */
  readonly key: string | (() => string | Promise<string>);
  /** How long one attempt may take; 30,000 unless it is said. */
  readonly timeoutMilliseconds?: number;
  /** For how long a call is tried again; 60,000 unless it is said. */
  readonly patienceMilliseconds?: number;
  /** Instead of the one that is everywhere. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Makes a call, however many attempts it takes.
 * @throws the signal's reason; TypeError for what can never be sent, such as a path without its id
 */
export const call = async <T extends Target>(
  connection: Connection,
  target: T,
  request: Request<T> | undefined,
): Promise<Answer<T>> => {
  const parts = (request ?? {}) as RequestParts;
  const sent = buildRequest(connection.url, target, parts);
  const read = await withRetries(attemptCall(connection, sent), {
    retryForMs: parts.patienceMilliseconds ?? connection.patienceMilliseconds ?? 60_000,
    signal: parts.signal,
  });
  return toAnswer(read, sent.idempotencyKey) as Answer<T>;
};

/** What is gone after a deletion whose answer was lost was deleted: the next attempt's 404 says that it is done. */
const attemptCall = (connection: Connection, sent: BuiltRequest): (() => Promise<ReadResponse>) => {
  let mayBeDone = false;
  return async () => {
    const read = await sendOnce(connection, sent);
    if (!(read instanceof PorticoError)) return read;
    if (mayBeDone && sent.method === 'DELETE' && read.status === 404 && read.code !== 'UNREADABLE') {
      return { status: 204, headers: new Headers(), body: {} };
    }
    mayBeDone ||= read.code === 'UNREACHABLE' || read.status >= 500;
    return read;
  };
};

/** @throws TypeError for a key that no header can hold, and whatever the function throws that gives the key */
const sendOnce = async (connection: Connection, sent: BuiltRequest): Promise<ReadResponse> => {
  const { fetch = globalThis.fetch, key, timeoutMilliseconds = 30_000 } = connection;
  const { method, url: address, body, idempotencyKey, signal } = sent;
  const headers = new Headers(sent.headers);
  headers.set('Authorization', `Bearer ${typeof key === 'string' ? key : await key()}`);
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await fetch(address, {
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
      ? `No answer within ${timeoutMilliseconds} ms.`
      : `No answer came (${reasonIn(cause)}).`;
    return new PorticoError('UNREACHABLE', message, { status: 0, idempotencyKey, cause });
  }
};

/** Node says why in the cause: `ECONNREFUSED`. Browsers tell nobody. */
const reasonIn = (error: unknown): string => {
  const { message, cause } = error as Error;
  const { code, message: why = message } = (cause ?? {}) as {
    readonly code?: string;
    readonly message?: string;
  };
  return code ?? why;
};

const toAnswer = (read: ReadResponse, idempotencyKey: string | undefined) => {
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
