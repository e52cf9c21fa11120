import { type BuiltRequest, buildRequest, type RequestParts } from './build-request.ts';
import { PorticoError } from './error.ts';
import { type ReadResponse, readResponse } from './read-response.ts';
import { type Attempt, maxTimerMs, sleep, withRetries } from './retry.ts';
import type { Answer, Request, RetryOptions, Target } from './types.ts';

/** The API key or access token; a function if it changes. */
type Credential = string | (() => string | Promise<string>);

/** The address of a Portico, and the credential for it. */
export interface Connection extends RetryOptions {
  /** The server's URL without the version: `https://shop.example`. */
  readonly url: string;
  /** The API key or access token; a function if it changes. It is called for each attempt, and again after 401. */
  readonly key: Credential;
  /** The timeout of one attempt; by default 5,000 for a read and 30,000 for a write. */
  readonly timeoutMilliseconds?: number;
  /** Replaces `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** How long a write is retried, and a read that the rate limit rejects: longer than the server's default window. */
const defaultRetryForMs = 60_000;

/** How long a read is retried, and how long one attempt takes at most: a person waits for it. */
const defaultReadMs = 5_000;

/** The default timeout of one attempt to write. A payment may take as long as its provider. */
const defaultWriteTimeoutMs = 30_000;

const retryForMsOf = (options: RetryOptions) => options.retryForMilliseconds ?? options.patienceMilliseconds;

/**
 * Sends a request, with retries until the response is final.
 * @param waitSeconds how long the server may wait for what the request asks for, in each attempt
 * @throws the signal's reason; TypeError for a request that can never be sent, such as one without an id for its path
 */
export const call = async <T extends Target>(
  connection: Connection,
  target: T,
  request: Request<T> | undefined,
  waitSeconds?: number,
): Promise<Answer<T>> => {
  const parts: RequestParts = { ...(request as RequestParts | undefined), waitSeconds };
  const built = buildRequest(connection.url, target, parts);
  const retryForMs = retryForMsOf(parts) ?? retryForMsOf(connection);
  const read = await withRetries(attempts(connection, built), {
    retryForMs: ({ status }) =>
      retryForMs ?? (built.isRead && status !== 429 ? defaultReadMs : defaultRetryForMs),
    totalMs: parts.totalMilliseconds ?? connection.totalMilliseconds ?? Number.POSITIVE_INFINITY,
    onRetry: parts.onRetry ?? connection.onRetry,
    signal: parts.signal,
  });
  return toResult(read, built.idempotencyKey) as Answer<T>;
};

/** Makes the attempts of one call. A 404 counts as success when an earlier attempt may have deleted the resource. */
const attempts = (connection: Connection, built: BuiltRequest): Attempt<ReadResponse> => {
  let mayBeDeleted = false;
  return async (remainingMs) => {
    const read = await attempt(connection, built, remainingMs);
    if (!(read instanceof PorticoError)) return read;
    if (mayBeDeleted && built.method === 'DELETE' && read.status === 404 && read.code !== 'UNREADABLE') {
      return { status: 204, headers: new Headers(), body: {} };
    }
    mayBeDeleted ||= read.code === 'UNREACHABLE' || read.status >= 500;
    return read;
  };
};

/**
 * Sends a request once. After 401 it is sent once more if there is another key by then: the first may have expired on its way, or
 * while the server waited. A 401 has changed nothing.
 * @throws the signal's reason, and any error of the function that returns the key
 */
const attempt = async (
  connection: Connection,
  built: BuiltRequest,
  remainingMs: number,
): Promise<ReadResponse> => {
  const endsAt = performance.now() + remainingMs;
  const defaultTimeoutMs = built.isRead ? defaultReadMs : defaultWriteTimeoutMs;
  const timeoutMs = (waitMs = 0) => {
    const attemptMs = (connection.timeoutMilliseconds ?? defaultTimeoutMs) + waitMs;
    return Math.max(Math.ceil(Math.min(attemptMs, endsAt - performance.now(), maxTimerMs)), 0);
  };
  const askForKey = () => keyOf(connection.key, timeoutMs(), built.signal);
  const send = (key: string) => sendOnce(connection, built, key, timeoutMs(built.waitMs));

  const key = await askForKey();
  if (key === undefined) {
    const message = 'The function that returns the key took too long. Nothing was sent.';
    return new PorticoError('UNREACHABLE', message, { status: 0, idempotencyKey: built.idempotencyKey });
  }
  const read = await send(key);
  if (!(read instanceof PorticoError) || read.status !== 401) return read;
  const nextKey = await askForKey();
  return nextKey === undefined || nextKey === key ? read : send(nextKey);
};

/** @throws the signal's reason, and TypeError for a key that is not valid in a header */
const sendOnce = async (
  { fetch = globalThis.fetch }: Connection,
  { method, url, body, idempotencyKey, signal, ...built }: BuiltRequest,
  key: string,
  timeoutMs: number,
): Promise<ReadResponse> => {
  const headers = new Headers(built.headers);
  headers.set('Authorization', `Bearer ${key}`);
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    });
    return await readResponse(response, idempotencyKey);
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.signal.aborted ? `within ${timeoutMs} ms` : `(${reasonIn(cause)})`;
    const message = `No response ${reason}. ${adviceFor(url)}`;
    return new PorticoError('UNREACHABLE', message, { status: 0, idempotencyKey, cause });
  } finally {
    clearTimeout(timer);
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

/** What to check. A browser does not report whether the server is down or its CORS settings forbid the call. */
const adviceFor = (url: string): string => {
  const { origin } = new URL(url);
  const page = (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin;
  const running = `Check that the server runs at ${origin}`;
  if (page === undefined || page === origin) return `${running}.`;
  if (page === 'null')
    return `${running}, and serve this page by HTTP: CORS cannot allow a page from a file.`;
  return (
    `${running}, and that its CORS settings allow this page: CORS_ORIGIN=${page}, ` +
    'with the method in CORS_ALLOW_METHODS and the headers in CORS_ALLOW_HEADERS.'
  );
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

/**
 * Asks for the key.
 * @returns undefined when the function has not ended within `limitMs`
 * @throws the signal's reason, and what the function throws
 */
const keyOf = async (
  credential: Credential,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  if (typeof credential === 'string') return credential;
  signal?.throwIfAborted();
  const given = new AbortController();
  const ended = signal === undefined ? given.signal : AbortSignal.any([given.signal, signal]);
  try {
    return await Promise.race([credential(), sleep(limitMs, ended).then(() => undefined)]);
  } finally {
    given.abort();
  }
};
