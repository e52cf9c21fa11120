import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnavailableError, type UnavailableReason } from '#application/errors.ts';
import {
  type AccessLogEntry,
  rejectedBeforeHandling,
  unroutedRequest,
} from '../../request/access-log-entry.ts';
import { clientOf } from '../../request/client-info.ts';
import { setUnavailableReason } from '../../request/node-response.ts';
import { jsonMediaType, prerenderedError, requestIdOf } from '../../request/response.ts';

/** The rest of a body up to this size is read and dropped, to keep the connection. With a longer body the connection closes. */
const maxDrainedBodyBytes = 16 * 1024;

/** Rejects requests with 503 for a reason that does not depend on them: overload or shutdown. */
export const rejectWith503 = (
  common: Readonly<Record<string, string>>,
  unavailableReason: UnavailableReason,
  behindProxy: boolean,
) => {
  const render = prerenderedError(new UnavailableError(unavailableReason));
  const headers = Object.entries({ ...common, 'Content-Type': jsonMediaType, ...render('').headers }).flat();

  return (request: IncomingMessage, response: ServerResponse): AccessLogEntry => {
    const requestId = requestIdOf(request.headers['x-request-id'], request.headers.authorization);
    const { status, body, errorCode } = render(requestId);
    const fields = [
      ...headers,
      'X-Request-Id',
      requestId,
      'Content-Length',
      `${Buffer.byteLength(body ?? '')}`,
    ];
    if (response.hasHeader('Connection') || hasLongBody(request)) fields.push('Connection', 'close');
    setUnavailableReason(response, unavailableReason);
    response.writeHead(status, fields);
    response.end(request.method === 'HEAD' ? undefined : body);
    return rejectedBeforeHandling({
      requestId,
      method: request.method,
      route: unroutedRequest,
      status,
      client: clientOf(request, behindProxy),
      errorCode,
      unavailableReason,
    });
  };
};

/** A body of unknown length counts as long. */
const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  headers.expect !== undefined ||
  Number(headers['content-length'] ?? 0) > maxDrainedBodyBytes;
