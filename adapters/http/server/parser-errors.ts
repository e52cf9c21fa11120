import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import { HttpError, type HttpErrorKind, toPublicError } from '../errors.ts';
import { type OnRejected, rejectedBeforeHandling, unreadableRequest } from '../request/access-log-entry.ts';
import { requestIdOf } from '../request/common-headers.ts';
import { errorResponse, jsonMediaType } from '../request/response.ts';
import { isHttp2Response } from './http2.ts';

type Headers = Readonly<Record<string, string>>;

/** What Node's parser could not read, by its error code, and how that is said. Everything else is a bad request. */
const reasons: Readonly<Record<string, readonly [HttpErrorKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers must have at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request took too long to arrive.'],
};

/** Refuses what has begun to arrive on a connection, and is not waited for any more, as Node does. */
export const rejectSlowRequest = (server: Server, socket: Duplex): void => {
  const code = 'ERR_HTTP_REQUEST_TIMEOUT';
  server.emit('clientError', Object.assign(new Error(code), { code }), socket);
};

/** How long a client that has been refused may go on talking before it is cut off, in milliseconds. */
const farewell = 1_000;

const last = Symbol('last');
const before = Symbol('before');

/** A connection, the answer to the last request on it that could be read, and the one before. */
interface Followed extends Duplex {
  [last]?: ServerResponse | undefined;
  [before]?: ServerResponse | undefined;
}

/**
 * Lets Node's own refusals leave as every other answer does: in the envelope, with the headers that all have, and in
 * their turn. They are made before there is a request that the application could see, so they are written to the bare
 * connection, which ends with them.
 */
export const handleClientErrors = (
  server: Server,
  headers: Headers,
  refused: OnRejected = () => undefined,
): void => {
  const done = new WeakSet<Duplex>();

  const write = (method: string | undefined, error: HttpError, givenId?: GivenId): string => {
    const { requestId, status, text } = written(error, givenId, headers);
    refused(rejectedBeforeHandling({ requestId, method, route: unreadableRequest, status }));
    return text;
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isHttp2Response(response)) return;
    const socket: Followed = request.socket;
    socket[before] = socket[last];
    socket[last] = response;
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Followed) => {
    // The parser reports the same again for everything that follows.
    if (done.has(socket)) return;
    done.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [kind, message] = reasons[error.code ?? ''] ?? ['bad-request', 'The request is not valid HTTP.'];
    const response = socket[last];
    if (response === undefined || response.req.complete) {
      const text = write(undefined, new HttpError(kind, message));
      return afterwards(response, () => end(socket, text));
    }
    // It is in the body of a request, which is told of by itself as one that was broken off, and may have its answer already.
    const { text } = written(new HttpError(kind, message), response.req.headers['x-request-id'], headers);
    afterwards(socket[before], () =>
      response.headersSent ? afterwards(response, () => end(socket)) : end(socket, text),
    );
  });

  server.on('connect', (request: IncomingMessage, socket: Followed | Http2ServerResponse) => {
    const error = new HttpError('method-not-allowed', 'CONNECT is not possible here.', { Allow: 'OPTIONS' });
    const given = request.headers['x-request-id'];
    // With HTTP/2 it is a request among others on the same connection.
    if (isHttp2Response(socket)) {
      const { requestId, status, all, body } = answerTo(error, given, headers);
      socket.writeHead(status, all).end(body);
      refused(rejectedBeforeHandling({ requestId, method: 'CONNECT', route: unreadableRequest, status }));
      return;
    }
    // Node has let go of the connection, and with it of its errors.
    socket.on('error', () => socket.destroy());
    const text = write('CONNECT', error, given);
    afterwards(socket[last], () => end(socket, text));
  });
};

/** Answers leave in the order of their requests. */
const afterwards = (response: ServerResponse | undefined, act: () => void): void => {
  if (response === undefined || response.closed) act();
  else response.once('close', act);
};

/** A connection that is closed with something unread may take the answer with it, so the rest is read, for a while. */
const end = (socket: Duplex, text = ''): void => {
  if (!socket.writable) return;
  socket.end(text);
  socket.resume();
  const cutOff = setTimeout(() => socket.destroy(), farewell);
  socket.once('close', () => clearTimeout(cutOff));
};

const written = (error: HttpError, givenId: GivenId, common: Headers) => {
  const { requestId, status, all, body } = answerTo(error, givenId, common);
  const lines = Object.entries({ ...all, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
  return { requestId, status, text };
};

type GivenId = string | string[] | undefined;

const answerTo = (error: HttpError, givenId: GivenId, common: Headers) => {
  const requestId = requestIdOf(givenId);
  const { status, headers, body } = errorResponse(toPublicError(error), requestId);
  const all = {
    ...common,
    'X-Request-Id': requestId,
    'Content-Type': jsonMediaType,
    'Content-Length': `${Buffer.byteLength(body ?? '')}`,
    ...headers,
  };
  return { requestId, status, all, body: body ?? '' };
};
