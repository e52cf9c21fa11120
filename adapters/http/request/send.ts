import { isHttp2Response } from '../server/http2.ts';
import type { Context } from './context.ts';
import type { ApiResponse } from './response.ts';

const mediaType = 'application/json; charset=utf-8';

/**
 * Answers, with the headers of the reply behind those that all answers have, unless that has been done or nobody is there
 * any more. All of it goes out in one piece.
 */
export const sendResponse = ({ req, res, state }: Context, { status, headers, body }: ApiResponse): void => {
  if (res.headersSent || res.destroyed) return;
  const lines = state.headers;
  const withConnection = !isHttp2Response(res);
  for (const name in headers) {
    // What HTTP/1 says of a connection, HTTP/2 does not: it holds many requests, and goes on behind a refused one.
    if (withConnection || name !== 'Connection') lines.push(name, headers[name] ?? '');
  }
  if (body !== null) lines.push('Content-Type', mediaType, 'Content-Length', `${Buffer.byteLength(body)}`);
  else if (status !== 204 && status !== 304) lines.push('Content-Length', '0');
  res.writeHead(status, lines);
  res.end(body === null || req.method === 'HEAD' ? undefined : body);
};
