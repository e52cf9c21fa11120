import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The bytes that are sent, and the tag of just these. */
interface Form {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** Something that never changes while the process lives, compressed once. */
export interface Asset {
  readonly type: string;
  readonly plain: Form;
  readonly compressed: Form;
}

const compress = promisify(gzip);

export const assetOf = async (type: string, content: string | Buffer): Promise<Asset> => {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return {
    type: `${type}; charset=utf-8`,
    plain: { bytes, tag: `"${hash}"` },
    compressed: { bytes: await compress(bytes), tag: `"${hash}-gzip"` },
  };
};

/** Whoever has it already is told so: a browser asks each time, and an update is seen at once. */
export const sendAsset = (request: IncomingMessage, response: ServerResponse, asset: Asset): void => {
  const { 'accept-encoding': encodings = '', 'if-none-match': known } = request.headers;
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(`${encodings}`);
  const { bytes, tag } = takesGzip ? asset.compressed : asset.plain;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (isNamed(tag, known)) {
    response.writeHead(304).end();
    return;
  }
  if (takesGzip) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(200, { 'Content-Type': asset.type, 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
};

/** Whether If-None-Match names the tag (RFC 9110, 13.1.2: weakly compared). */
const isNamed = (tag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);
