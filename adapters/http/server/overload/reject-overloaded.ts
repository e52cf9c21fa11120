import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnavailableError, type UnavailableReason } from '#application/errors.ts';
import {
  type AccessLogEntry,
  rejectedBeforeHandling,
  unroutedRequest,
} from '../../request/access-log-entry.ts';
import { jsonMediaType, prerenderedError, requestIdOf } from '../../request/response.ts';
import { isHttp2Response, setUnavailableReason } from '../node-response.ts';

type Headers = Readonly<Record<string, string>>;

/** The rest of a body up to this size is read and dropped, to keep the connection. With a longer body the connection closes. */
const maxDrainedBodyBytes = 16 * 1024;

/**
 * Rejects requests with 503 for a reason that does not depend on them: overload or shutdown. Everything but the request id is
 * rendered beforehand, because rejecting must stay cheap under overload.
 */
export const rejectWith503 = (
  common: Headers,
  reason: UnavailableReason,
): ((request: IncomingMessage, response: ServerResponse) => AccessLogEntry) => {
  const unavailable = prerenderedError(new UnavailableError(reason));
  const prerendered = Object.entries({
    ...common,
    'Content-Type': jsonMediaType,
    ...unavailable('').headers,
  }).flat();

  return (request, response) => {
    const known = response.getHeader('X-Request-Id');
    const requestId = typeof known === 'string' ? known : requestIdOf(request.headers['x-request-id']);
    const { status, body } = unavailable(requestId);
    const length = `${Buffer.byteLength(body ?? '')}`;
    const fields = [...prerendered, 'X-Request-Id', requestId, 'Content-Length', length];
    if (!isHttp2Response(response) && (response.hasHeader('Connection') || hasLongBody(request))) {
      fields.push('Connection', 'close');
    }
    setUnavailableReason(response, reason);
    response.writeHead(status, fields);
    response.end(request.method === 'HEAD' ? undefined : body);
    return rejectedBeforeHandling({
      requestId,
      method: request.method,
      route: unroutedRequest,
      status,
      unavailableReason: reason,
    });
  };
};

/** A body of unknown length counts as long. */
const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers.expect !== undefined ||
  Number(headers['content-length'] ?? 0) > maxDrainedBodyBytes;
