import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../errors.ts';
import type { Middleware } from './context.ts';

/**
 * Headers that may occur once: a proxy could read the first of two and Portico the last (request smuggling). The lookup is by
 * length, which differs among them, so that most headers need no lower-casing.
 */
const singleHeaders: ReadonlyMap<number, string> = new Map(
  ['host', 'authorization', 'content-type', 'idempotency-key'].map((name) => [name.length, name]),
);

/**
 * Rejects ambiguous messages that Node's parser accepts but no honest client sends, and sets the path and the query.
 * @throws HttpError 'bad-request', 'expectation-failed'
 */
export const validateMessage: Middleware = ({ req, state }, next) => {
  const { rawHeaders, headers, httpVersion, httpVersionMajor } = req;
  if (httpVersionMajor !== 1) throw badRequest('The HTTP version must be 1.1.');
  if (headers.host === undefined && httpVersion === '1.1') throw badRequest('The Host header is missing.');
  requireHost(headers.host);
  requireSingleHeaders(rawHeaders);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw badRequest('The Transfer-Encoding must be chunked or absent.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new HttpError('expectation-failed', 'The only supported Expect value is 100-continue.', {
      Connection: 'close',
    });
  }
  const target = pathAndQuery(req.url ?? '');
  // The router reads the path from there.
  req.url = target;
  const mark = target.indexOf('?');
  state.path = mark < 0 ? target : target.slice(0, mark);
  state.query = mark < 0 ? '' : target.slice(mark + 1);
  return next();
};

/** A host name or an address, and a port (RFC 9110 section 7.2). A client without a host sends none with HTTP/1.0, or an empty one. */
const hostAndPort = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

const requireHost = (host: string | undefined): void => {
  if (host !== undefined && !hostAndPort.test(host)) {
    throw badRequest('The Host header must be a host name or an address, with a port or without.');
  }
};

const badRequest = (message: string): HttpError =>
  new HttpError('bad-request', message, { Connection: 'close' });

/** @param rawHeaders names and values in turn */
const requireSingleHeaders = (rawHeaders: readonly string[]): void => {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? '';
    const name = singleHeaders.get(header.length);
    if (name === undefined || header.toLowerCase() !== name) continue;
    if (seen?.includes(name)) throw badRequest(`The ${name} header must be given once.`);
    seen ??= [];
    seen.push(name);
  }
};

/** The origin form of a target (RFC 9112, section 3.2.1), which nearly every request has. */
const originForm = /^\/[^#]*$/;

const schemeAndAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/**
 * The path and query of a target, or the `*` of OPTIONS. The absolute form is accepted as RFC 9112, section 3.2.2 demands, and
 * its host is ignored: the request has reached this server.
 */
const pathAndQuery = (target: string): string => {
  if (originForm.test(target)) return target;
  const rest = target.replace(schemeAndAuthority, '');
  const path = rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
  if (path.includes('#') || !/^(\/|\*$)/.test(path)) {
    throw badRequest('The request target must be a path without a fragment, or an absolute URL.');
  }
  return path;
};

/**
 * Behind a trusted proxy, accepts only requests that every hop received by HTTPS according to `X-Forwarded-Proto`.
 * @throws HttpError 'https-required'
 */
export const requireHttps: Middleware = ({ req }, next) => {
  requireForwardedHttps(req.headers);
  return next();
};

/** @throws HttpError 'https-required' unless every hop before the trusted proxy was HTTPS */
export const requireForwardedHttps = ({ 'x-forwarded-proto': header = '' }: IncomingHttpHeaders): void => {
  const protocols = `${header}`.split(',');
  if (protocols.some((protocol) => protocol.trim().toLowerCase() !== 'https')) throw httpsRequired();
};

/**
 * Rejects every request on a plaintext listener, whatever its headers claim.
 * @throws HttpError 'https-required'
 */
export const rejectPlaintext: Middleware = () => {
  throw httpsRequired();
};

const httpsRequired = (): HttpError =>
  new HttpError('https-required', 'Plain HTTP is not accepted. Use HTTPS.');
