import { newIdempotencyKey } from './idempotency-key.ts';

/** Any request, as the parts of all of them. */
export interface RequestParts {
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

/** @throws TypeError for what can never be sent */
export const buildRequest = (url: string, target: string, parts: RequestParts): BuiltRequest => {
  const [method = '', path = ''] = target.split(' ');
  const takesKey = method !== 'GET' && method !== 'DELETE';
  const idempotencyKey = takesKey ? (parts.idempotencyKey ?? newIdempotencyKey()) : undefined;
  return {
    method,
    url: urlOf(url, path, parts),
    headers: headersOf(parts, idempotencyKey),
    body: parts.body === undefined ? null : JSON.stringify(parts.body),
    idempotencyKey,
    signal: parts.signal,
  };
};

/** What every attempt of a call sends. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws TypeError for a name in the path that nothing was said of, and for an address that is not HTTP's */
const urlOf = (url: string, path: string, { path: ids, query }: RequestParts): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const id = ids?.[name];
    if (id === undefined || /^\.{0,2}$/.test(id)) throw new TypeError(`The path ${path} needs its ${name}.`);
    return encodeURIComponent(id);
  });
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) asked.append(name, `${value}`);
  }
  const { href, protocol } = new URL(
    `${url.replace(/\/+$/, '')}/${version}${filled}?${asked}`.replace(/\?$/, ''),
  );
  if (!/^https?:$/.test(protocol))
    throw new TypeError(`The address ${url} has to begin with http:// or https://.`);
  return href;
};

/** @throws TypeError for what no header can hold */
const headersOf = ({ body, ifMatch, ifNoneMatch }: RequestParts, key: string | undefined): Headers =>
  new Headers({
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(ifMatch !== undefined && { 'If-Match': tagOf(ifMatch) }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': tagOf(ifNoneMatch) }),
  });

/** A version as its ETag. */
const tagOf = (version: number | string): string => (typeof version === 'number' ? `"${version}"` : version);
