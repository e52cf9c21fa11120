import { type Parts, prepare, type Sent } from './build-request.ts';
import { PorticoError } from './error.ts';
import { type Read, readAnswer } from './read-response.ts';
import type { Request, Target } from './request.ts';
import type { Answer } from './response.ts';
import { patiently } from './retry.ts';

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
  const parts = (request ?? {}) as Parts;
  const sent = prepare(connection.url, target, parts);
  const read = await patiently(attemptsOf(connection, sent), {
    patienceMilliseconds: parts.patienceMilliseconds ?? connection.patienceMilliseconds ?? 60_000,
    signal: parts.signal,
  });
  return answerOf(read, sent.idempotencyKey) as Answer<T>;
};

/** What is gone after a deletion whose answer was lost was deleted: the next attempt's 404 says that it is done. */
const attemptsOf = (connection: Connection, sent: Sent): (() => Promise<Read>) => {
  let mayBeDone = false;
  return async () => {
    const read = await attempt(connection, sent);
    if (!(read instanceof PorticoError)) return read;
    if (mayBeDone && sent.method === 'DELETE' && read.status === 404 && read.code !== 'UNREADABLE') {
      return { status: 204, headers: new Headers(), body: {} };
    }
    mayBeDone ||= read.code === 'UNREACHABLE' || read.status >= 500;
    return read;
  };
};

/** @throws TypeError for a key that no header can hold, and whatever the function throws that gives the key */
const attempt = async (connection: Connection, sent: Sent): Promise<Read> => {
  const { fetch = globalThis.fetch, key, timeoutMilliseconds = 30_000 } = connection;
  const { method, address, body, idempotencyKey, signal } = sent;
  const headers = new Headers(sent.headers);
  headers.set('Authorization', `Bearer ${typeof key === 'string' ? key : await key()}`);
  signal?.throwIfAborted();
  const time = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await fetch(address, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    });
    return await readAnswer(response, idempotencyKey);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = time.aborted
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

const answerOf = (read: Read, idempotencyKey: string | undefined) => {
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
