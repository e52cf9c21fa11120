import type { Answer } from './answer.ts';
import { PorticoError } from './error.ts';
import { newKey } from './key.ts';
import { patiently } from './patience.ts';
import { type Read, readAnswer } from './reading.ts';
import type { Request, Target } from './request.ts';

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

/** Any request, as the parts of all of them. */
interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: number | string;
  readonly ifNoneMatch?: number | string;
  readonly signal?: AbortSignal;
  readonly patienceMilliseconds?: number;
}

const version = 'v1';

/** Makes a call, however many attempts it takes. @throws the signal's reason */
export const call = async <T extends Target>(
  connection: Connection,
  target: T,
  request: Request<T> | undefined,
): Promise<Answer<T>> => {
  const parts = (request ?? {}) as Parts;
  const [method = '', path = ''] = target.split(' ');
  const takesKey = method !== 'GET' && method !== 'DELETE';
  const idempotencyKey = takesKey ? (parts.idempotencyKey ?? newKey()) : undefined;
  const sent: Sent = {
    method,
    address: addressOf(connection.url, path, parts),
    headers: headersOf(parts, idempotencyKey),
    body: parts.body === undefined ? null : JSON.stringify(parts.body),
    idempotencyKey,
    signal: parts.signal,
  };
  const attempts = attemptsOf(connection, sent);
  const read = await patiently(attempts, {
    patienceMilliseconds: parts.patienceMilliseconds ?? connection.patienceMilliseconds ?? 60_000,
    signal: parts.signal,
  });
  return answerOf(read, idempotencyKey) as Answer<T>;
};

interface Sent {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws TypeError for a name in the path that nothing was said of */
const addressOf = (url: string, path: string, { path: ids, query }: Parts): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const id = ids?.[name];
    if (id === undefined || id === '') throw new TypeError(`The path ${path} needs its ${name}.`);
    return encodeURIComponent(id);
  });
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) asked.append(name, `${value}`);
  }
  const queryString = asked.size === 0 ? '' : `?${asked}`;
  return `${url.replace(/\/+$/, '')}/${version}${filled}${queryString}`;
};

const headersOf = (
  { body, ifMatch, ifNoneMatch }: Parts,
  key: string | undefined,
): Record<string, string> => ({
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...(key !== undefined && { 'Idempotency-Key': key }),
  ...(ifMatch !== undefined && { 'If-Match': tagOf(ifMatch) }),
  ...(ifNoneMatch !== undefined && { 'If-None-Match': tagOf(ifNoneMatch) }),
});

/** A version as its ETag. */
const tagOf = (version: number | string): string => (typeof version === 'number' ? `"${version}"` : version);

/** What is gone after a deletion whose answer was lost was deleted: the next attempt's 404 says that it is done. */
const attemptsOf = (connection: Connection, sent: Sent): (() => Promise<Read>) => {
  let mayBeDone = false;
  return async () => {
    const read = await attempt(connection, sent);
    if (!(read instanceof PorticoError)) return read;
    if (mayBeDone && sent.method === 'DELETE' && read.status === 404) {
      return { status: 204, headers: new Headers(), body: {} };
    }
    mayBeDone ||= read.code === 'UNREACHABLE' || read.status >= 500;
    return read;
  };
};

const attempt = async (connection: Connection, sent: Sent): Promise<Read> => {
  const { fetch = globalThis.fetch, key, timeoutMilliseconds = 30_000 } = connection;
  const { method, address, headers, body, idempotencyKey, signal } = sent;
  signal?.throwIfAborted();
  const time = AbortSignal.timeout(timeoutMilliseconds);
  const token = typeof key === 'string' ? key : await key();
  try {
    const response = await fetch(address, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      body,
      redirect: 'manual',
      signal: signal === undefined ? time : AbortSignal.any([signal, time]),
    });
    return await readAnswer(response, idempotencyKey);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = time.aborted ? `No answer within ${timeoutMilliseconds} ms.` : 'No answer came.';
    return new PorticoError('UNREACHABLE', message, { status: 0, idempotencyKey, cause });
  }
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
