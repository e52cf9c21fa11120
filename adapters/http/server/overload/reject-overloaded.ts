import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApplicationError } from '#application/errors.ts';
import {
  type AccessLogEntry,
  rejectedBeforeHandling,
  unroutedRequest,
} from '../../request/access-log-entry.ts';
import { requestIdOf } from '../../request/common-headers.ts';
import { jsonMediaType, prerenderedError } from '../../request/response.ts';
import { isHttp2Response } from '../http2.ts';

type Headers = Readonly<Record<string, string>>;

/** As much of a body is read and forgotten, so that the connection can be kept; with a longer one it ends. */
const maxDrainedBodyBytes = 16 * 1024;

/**
 * Refuses requests because there is too much to do, or no more time, as a message says. All of it that can be is made
 * beforehand: to say that there is no time must take none.
 */
export const rejectWith503 = (
  common: Headers,
  message: string,
): ((request: IncomingMessage, response: ServerResponse) => AccessLogEntry) => {
  const refuse = prerenderedError(new ApplicationError('unavailable', message));
  const prepared = Object.entries({
    ...common,
    'Content-Type': jsonMediaType,
    ...refuse('').headers,
  }).flat();

  return (request, response) => {
    const own = response.getHeader('X-Request-Id');
    const requestId = typeof own === 'string' ? own : requestIdOf(request.headers['x-request-id']);
    const { status, body } = refuse(requestId);
    const lines = [
      ...prepared,
      'X-Request-Id',
      requestId,
      'Content-Length',
      `${Buffer.byteLength(body ?? '')}`,
    ];
    if (!isHttp2Response(response) && (response.hasHeader('Connection') || hasLongBody(request))) {
      lines.push('Connection', 'close');
    }
    response.writeHead(status, lines);
    response.end(request.method === 'HEAD' ? undefined : body);
    return rejectedBeforeHandling({ requestId, method: request.method, route: unroutedRequest, status });
  };
};

const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers.expect !== undefined ||
  Number(headers['content-length'] ?? 0) > maxDrainedBodyBytes;
