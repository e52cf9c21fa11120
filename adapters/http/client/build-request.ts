import type { Options } from './types.ts';

/** The parts of any request, without the types of its target. */
export interface RequestParts extends Options {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly ifMatch?: number | string;
  readonly ifNoneMatch?: number | string;
  /** How long the server may wait for what the request asks for. */
  readonly waitSeconds?: number | undefined;
}

const version = 'v1';

/**
 * @param url the server's, without the version
 * @throws TypeError for a request that can never be sent, such as one without an id for its path
 */
export const buildRequest = (url: string, target: string, parts: RequestParts): BuiltRequest => {
  const [method = '', path = ''] = target.split(' ');
  const isRead = method === 'GET';
  const acceptsKey = !isRead && method !== 'DELETE';
  const idempotencyKey = acceptsKey ? (parts.idempotencyKey ?? newIdempotencyKey()) : undefined;
  return {
    method,
    isRead,
    url: urlOf(url, path, parts),
    headers: headersOf(parts, idempotencyKey),
    body: parts.body === undefined ? null : JSON.stringify(parts.body),
    idempotencyKey,
    signal: parts.signal,
    waitMs: (parts.waitSeconds ?? 0) * 1_000,
  };
};

/** The request that every attempt of a call sends. */
export interface BuiltRequest {
  readonly method: string;
  readonly isRead: boolean;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** How long the response may take in addition. */
  readonly waitMs: number;
}

/** @throws TypeError for a missing id in the path, or a URL that is not HTTP */
const urlOf = (url: string, path: string, { path: ids, query }: RequestParts): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const id = ids?.[name];
    if (id === undefined || /^\.{0,2}$/.test(id))
      throw new TypeError(`The path ${path} needs the id ${name}.`);
    return encodeURIComponent(id);
  });
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.append(name, `${value}`);
  }
  const { href, protocol } = new URL(
    `${url.replace(/\/+$/, '')}/${version}${filled}?${parameters}`.replace(/\?$/, ''),
  );
  if (!/^https?:$/.test(protocol)) throw new TypeError(`The URL ${url} must begin with http:// or https://.`);
  return href;
};

/** @throws TypeError for a value that is not valid in a header */
const headersOf = (
  { body, ifMatch, ifNoneMatch, waitSeconds }: RequestParts,
  key: string | undefined,
): Headers =>
  new Headers({
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(ifMatch !== undefined && { 'If-Match': tagOf(ifMatch) }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': tagOf(ifNoneMatch) }),
    ...(waitSeconds !== undefined && { Prefer: `wait=${waitSeconds}` }),
  });

/** The ETag of a version (RFC 9110 section 8.8.3). */
const tagOf = (version: number | string): string => (typeof version === 'number' ? `"${version}"` : version);

/** Hexadecimal digits for the milliseconds since 1970, enough until the year 10889. */
const timeDigits = 12;

/**
 * Generates an idempotency key: the time in milliseconds, then 80 random bits, in hexadecimal. Ascending keys are adjacent in
 * the server's index, which makes them cheaper to insert than random ones.
 *
 * `crypto.randomUUID` is missing in pages loaded over plain HTTP, so this uses `crypto.getRandomValues`.
 */
export const newIdempotencyKey = (): string => {
  const time = Date.now().toString(16).padStart(timeDigits, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return time + random.join('');
};
