import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../../errors.ts';
import { isHttp2Response } from '../../server/http2.ts';
import type { Middleware } from '../middleware.ts';

/**
 * Headers that say who speaks, to whom and of what. Of two, one would be believed and the other overheard. They are found
 * by their lengths, of which no two may be alike: most headers are none of them, and need not be written in small letters.
 */
const single: ReadonlyMap<number, string> = new Map(
  ['host', 'authorization', 'content-type', 'idempotency-key'].map((name) => [name.length, name]),
);

/**
 * Refuses what Node's parser lets pass although no honest client sends it.
 * @throws HttpError 'bad-request', 'expectation-failed'
 */
export const validateMessage: Middleware = ({ req, res, state }) => {
  const { rawHeaders, headers, httpVersion, httpVersionMajor } = req;
  if (isHttp2Response(res)) {
    requireOneAuthority(rawHeaders, headers);
    // Node's parser of HTTP/1 knows no such method, and the router takes it for another one.
    if (/[a-z]/.test(req.method ?? '')) throw refused('A method is written in capitals.');
  } else if (httpVersionMajor !== 1) throw refused('This server speaks HTTP/1.1 and HTTP/2.');
  else if (headers.host === undefined && httpVersion === '1.1') throw refused('The Host header is missing.');
  requireSingle(rawHeaders);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw refused('A body comes in chunks, or as it is.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new HttpError('expectation-failed', 'No such expectation can be met.', { Connection: 'close' });
  }
  const target = pathAndQuery(req.url ?? '');
  const mark = target.indexOf('?');
  state.path = mark < 0 ? target : target.slice(0, mark);
  state.query = mark < 0 ? '' : target.slice(mark + 1);
  return undefined;
};

/** What Node's parser sees to itself where it reads HTTP/1. */
const requireOneAuthority = (rawHeaders: readonly string[], headers: IncomingHttpHeaders): void => {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  if (length > maxHeaderBytes) {
    throw new HttpError('headers-too-large', 'The headers must have at most 16 KiB.');
  }
  const { host } = headers;
  const authority = headers[':authority'];
  if (host === undefined ? authority === undefined : authority !== undefined && authority !== host) {
    throw refused('The request must name one host.');
  }
};

/** Bytes of all names and values. */
const maxHeaderBytes = 16 * 1024;

const refused = (message: string): HttpError =>
  new HttpError('bad-request', message, { Connection: 'close' });

/** Raw headers are names and values in turn. */
const requireSingle = (rawHeaders: readonly string[]): void => {
  let seen: string[] | undefined;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const header = rawHeaders[place] ?? '';
    const name = single.get(header.length);
    if (name === undefined || header.toLowerCase() !== name) continue;
    if (seen?.includes(name)) throw refused(`The ${name} header must be given once.`);
    seen ??= [];
    seen.push(name);
  }
};

/** What nearly all targets are. */
const plain = /^\/[^#]*$/;

const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/**
 * The target of a request without what a proxy's clients write in front of it (RFC 9112, 3.2.2): whoever's name they
 * use, they have reached this server. Everything behind then only ever sees a path, or the `*` of OPTIONS.
 */
const pathAndQuery = (target: string): string => {
  if (plain.test(target)) return target;
  const rest = target.replace(origin, '');
  const path = rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
  if (path.includes('#') || !/^(\/|\*$)/.test(path)) throw refused('The address is not one of HTTP.');
  return path;
};
