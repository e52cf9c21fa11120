import type { Context } from './context.ts';
import { isMultiplexed } from './multiplexed.ts';
import type { Reply } from './reply.ts';

export const send = (context: Context, { status, headers, body }: Reply): void => {
  if (body !== null) context.type = 'application/json; charset=utf-8';
  context.body = body;
  // Koa takes a body of null for 204, so the status has the last word.
  context.status = status;
  context.set(isMultiplexed(context.res) ? withoutConnection(headers) : headers);
};

/** What HTTP/1 says of a connection, HTTP/2 does not: it holds many requests, and goes on behind a refused one. */
const withoutConnection = ({ Connection: _, ...headers }: Reply['headers']): Reply['headers'] => headers;
