import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HttpError, type HttpErrorKind, toPublicError } from '../errors.ts';
import { type OnRejected, rejectedBeforeHandling, unreadableRequest } from '../request/access-log-entry.ts';
import { addressOf, clientOf } from '../request/client-info.ts';
import { earlierResponse, latestResponse } from '../request/pipelining.ts';
import { errorResponse, jsonMediaType, requestIdOf } from '../request/response.ts';
import { destroyAfterLinger } from './connections.ts';

type Headers = Readonly<Record<string, string>>;

/** The HTTP errors of Node's parser errors, by code. Every other parser error is a bad request. */
const parserErrors: Readonly<Record<string, readonly [HttpErrorKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers must have at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request took too long to arrive.'],
};

/** Responds 408 to a request that has arrived in part, as Node does after `requestTimeout`. */
export const rejectSlowRequest = (server: Server, socket: Duplex): void => {
  const code = 'ERR_HTTP_REQUEST_TIMEOUT';
  server.emit('clientError', Object.assign(new Error(code), { code }), socket);
};

interface Options {
  /** The headers of every response. */
  readonly headers: Headers;
  /** Whether a trusted proxy is in front, which names the client's address. */
  readonly behindProxy: boolean;
  /** Called for each rejected request. */
  readonly onRejected?: OnRejected | undefined;
}

/**
 * Responds to parser errors (Node's `clientError`) and to CONNECT with the error envelope and the common headers. Node has no
 * request for them, so the response is written to the socket, after the pipelined responses before it, and the socket is ended.
 */
export const handleClientErrors = (
  server: Server,
  { headers, behindProxy, onRejected = () => undefined }: Options,
): void => {
  const handled = new WeakSet<Duplex>();

  /** @param request undefined when it could not be parsed */
  const reject = (socket: Socket, error: HttpError, request?: IncomingMessage): string => {
    const { text, ...rendered } = render(error, request?.headers['x-request-id'], headers);
    const client = request
      ? clientOf(request, behindProxy)
      : { address: addressOf(socket.remoteAddress), userAgent: undefined };
    onRejected(
      rejectedBeforeHandling({ ...rendered, method: request?.method, route: unreadableRequest, client }),
    );
    return text;
  };

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The parser repeats the error for everything that follows on the connection.
    if (handled.has(socket)) return;
    handled.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [kind, message] = parserErrors[error.code ?? ''] ?? [
      'bad-request',
      'The request is not valid HTTP.',
    ];
    const response = latestResponse(socket);
    if (response === undefined || response.req.complete) {
      const text = reject(socket, new HttpError(kind, message));
      return afterResponse(response, () => end(socket, text));
    }
    // The error is in the body of a request that may have its response already. That request logs itself as aborted.
    const { text } = render(new HttpError(kind, message), response.req.headers['x-request-id'], headers);
    afterResponse(earlierResponse(response), () =>
      response.headersSent ? afterResponse(response, () => end(socket)) : end(socket, text),
    );
  });

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const error = new HttpError('method-not-allowed', 'CONNECT is not supported.', { Allow: 'OPTIONS' });
    // Node has detached the socket, so an unhandled error on it would end the process.
    socket.on('error', () => socket.destroy());
    const text = reject(socket, error, request);
    afterResponse(latestResponse(socket), () => end(socket, text));
  });
};

/** Keeps the order of pipelined responses. */
const afterResponse = (response: ServerResponse | undefined, act: () => void): void => {
  if (response === undefined || response.closed) act();
  else response.once('close', act);
};

/** Ends a connection and reads its input for a while: closing with unread input could destroy the response (TCP reset). */
const end = (socket: Duplex, text = ''): void => {
  if (!socket.writable) return;
  socket.end(text);
  socket.resume();
  destroyAfterLinger(socket);
};

/** An error response as the text of an HTTP/1.1 message that closes the connection. */
const render = (error: HttpError, clientId: string | string[] | undefined, common: Headers) => {
  const requestId = requestIdOf(clientId);
  const { status, headers, body, errorCode } = errorResponse(toPublicError(error), requestId);
  const fields = {
    ...common,
    'X-Request-Id': requestId,
    'Content-Type': jsonMediaType,
    'Content-Length': `${Buffer.byteLength(body ?? '')}`,
    ...headers,
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body ?? ''}`;
  return { requestId, status, errorCode, text };
};
