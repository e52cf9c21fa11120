import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError, type HttpErrorKind, problemOf } from './errors.ts';
import { refusal } from './reply.ts';
import { requestIdOf } from './request-id.ts';

type Headers = Readonly<Record<string, string>>;

/** What Node's parser could not read, by its error code, and how that is said. Everything else is a bad request. */
const reasons: Readonly<Record<string, readonly [HttpErrorKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers must have at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request took too long to arrive.'],
};

/** How long a client that has been refused may go on talking before it is cut off, in milliseconds. */
const farewell = 1_000;

/** The last request on a connection that could be read, and the answer before its own. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
}

/**
 * Lets Node's own refusals leave as every other answer does: in the envelope, with the headers that all have, and in
 * their turn. They are made before there is a request that the application could see, so they are written to the bare
 * connection, which ends with them.
 */
export const refuseInEnvelope = (server: Server, headers: Headers): void => {
  const exchanges = new WeakMap<Duplex, Exchange>();
  const refused = new WeakSet<Duplex>();

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    exchanges.set(request.socket, { request, response, before: exchanges.get(request.socket)?.response });
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The parser reports the same again for everything that follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [kind, message] = reasons[error.code ?? ''] ?? ['bad-request', 'The request is not valid HTTP.'];
    const text = written(new HttpError(kind, message), undefined, headers);
    const { request, response, before } = exchanges.get(socket) ?? {};
    if (request === undefined || request.complete) afterwards(response, () => end(socket, text));
    // It is in the body of a request, which may have its answer already.
    else
      afterwards(before, () =>
        response?.headersSent ? afterwards(response, () => end(socket)) : end(socket, text),
      );
  });

  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    // Node has let go of the connection, and with it of its errors.
    socket.on('error', () => socket.destroy());
    const error = new HttpError('method-not-allowed', 'CONNECT is not possible here.', { Allow: 'OPTIONS' });
    const text = written(error, request.headers['x-request-id'], headers);
    afterwards(exchanges.get(socket)?.response, () => end(socket, text));
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

const written = (error: HttpError, givenId: string | string[] | undefined, common: Headers): string => {
  const requestId = requestIdOf(givenId);
  const { status, headers: own, body } = refusal(problemOf(error), requestId);
  const all = {
    ...common,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': `${Buffer.byteLength(body ?? '')}`,
    ...own,
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body ?? ''}`;
};
