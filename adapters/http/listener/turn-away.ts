import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApplicationError } from '#application/errors.ts';
import { problemOf } from '../errors.ts';
import { type Exchange, refusedOnSight, unlooked } from '../exchange.ts';
import { isMultiplexed } from '../multiplexed.ts';
import { refusal } from '../reply.ts';
import { requestIdOf } from '../request-id.ts';

type Headers = Readonly<Record<string, string>>;

/** As much of a body is read and forgotten, so that the connection can be kept; with a longer one it ends. */
const shortBody = 16 * 1024;

/** Stands where the request id will. */
const gap = '<id>';

/**
 * Refuses requests because there is too much to do, or no more time, as a message says. It is made beforehand but for the request's id: to
 * say that there is no time must take none.
 */
export const turnAway = (
  common: Headers,
  message: string,
): ((request: IncomingMessage, response: ServerResponse) => Exchange) => {
  const error = new ApplicationError('unavailable', message);
  const { status, headers, body } = refusal(problemOf(error), gap);
  const [before = '', after = ''] = (body ?? '').split(JSON.stringify(gap));
  const rest = Buffer.byteLength(before) + Buffer.byteLength(after);
  const prepared = Object.entries({
    ...common,
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
  }).flat();

  return (request, response) => {
    const own = response.getHeader('X-Request-Id');
    const requestId = typeof own === 'string' ? own : requestIdOf(request.headers['x-request-id']);
    const quoted = JSON.stringify(requestId);
    const lines = [...prepared, 'X-Request-Id', requestId, 'Content-Length', `${rest + quoted.length}`];
    if (!isMultiplexed(response) && (response.hasHeader('Connection') || hasLongBody(request))) {
      lines.push('Connection', 'close');
    }
    response.writeHead(status, lines);
    response.end(request.method === 'HEAD' ? undefined : before + quoted + after);
    return refusedOnSight({ requestId, method: request.method, route: unlooked, status });
  };
};

const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers.expect !== undefined ||
  Number(headers['content-length'] ?? 0) > shortBody;
