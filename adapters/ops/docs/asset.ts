import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Something that never changes while the process lives, compressed once. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly compressed: Buffer;
  readonly tag: string;
}

const compress = promisify(gzip);

export const assetOf = async (type: string, content: string | Buffer): Promise<Asset> => {
  const bytes = Buffer.from(content);
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { type: `${type}; charset=utf-8`, bytes, compressed: await compress(bytes), tag };
};

/** Whoever has it already is told so: a browser asks each time, and an update is seen at once. */
export const sendAsset = (request: IncomingMessage, response: ServerResponse, asset: Asset): void => {
  response.setHeader('ETag', asset.tag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (request.headers['if-none-match'] === asset.tag) {
    response.writeHead(304).end();
    return;
  }
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
    `${request.headers['accept-encoding'] ?? ''}`,
  );
  const body = takesGzip ? asset.compressed : asset.bytes;
  if (takesGzip) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(200, { 'Content-Type': asset.type, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
};
