import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The bytes of one encoding, with an entity tag of their own (RFC 9110 section 8.8.3.3). */
interface Encoded {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** A response body that stays the same while the process runs, so it is compressed once. */
export interface Asset {
  readonly type: string;
  readonly identity: Encoded;
  readonly gzip: Encoded;
}

const compress = promisify(gzip);

/** @param type the media type, without a charset */
export const createAsset = async (type: string, content: string | Buffer): Promise<Asset> => {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return {
    type: `${type}; charset=utf-8`,
    identity: { bytes, tag: `"${hash}"` },
    gzip: { bytes: await compress(bytes), tag: `"${hash}-gzip"` },
  };
};

/** `revalidated` makes browsers ask each time, so that an update shows at once. What is `unchanging` they never ask for again. */
const cacheControl = { revalidated: 'no-cache', unchanging: 'public, max-age=31536000, immutable' };

/** Sends an asset, or 304 when the client has it. */
export const sendAsset = (
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  caching: keyof typeof cacheControl = 'revalidated',
): void => {
  const { 'accept-encoding': encodings = '', 'if-none-match': ifNoneMatch } = request.headers;
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(`${encodings}`);
  const { bytes, tag } = acceptsGzip ? asset.gzip : asset.identity;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', cacheControl[caching]);
  response.setHeader('Vary', 'Accept-Encoding');
  if (matchesTag(tag, ifNoneMatch)) {
    response.writeHead(304).end();
    return;
  }
  if (acceptsGzip) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(200, { 'Content-Type': asset.type, 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
};

/** Weak comparison with If-None-Match (RFC 9110 section 13.1.2). */
const matchesTag = (tag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);

/** Sends one line of text, unless a response has begun. */
export const sendText = (response: ServerResponse, status: number, text: string): void => {
  if (response.headersSent) return;
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${text}\n`);
};

/** Whether a browser shows the response to a person. Programs accept anything, or JSON. */
export const wantsPage = ({ method, headers: { accept = '' } }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(accept);

/** Returns whether the method is GET or HEAD; otherwise it has sent 405. */
export const requireReadMethod = ({ method }: IncomingMessage, response: ServerResponse): boolean => {
  if (method === 'GET' || method === 'HEAD') return true;
  sendText(response.setHeader('Allow', 'GET, HEAD'), 405, 'This path supports only GET and HEAD.');
  return false;
};
