import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError, type HttpErrorKind, problemOf } from './errors.ts';
import { type Reply, refusal } from './reply.ts';
import { requestIdOf } from './request-id.ts';

type Headers = Readonly<Record<string, string>>;

/** What Node's parser could not read, by its error code, and how that is said. Everything else is a bad request. */
const reasons: Readonly<Record<string, readonly [HttpErrorKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers must have at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request took too long to arrive.'],
};

/**
 * Lets Node's own refusals leave as every other answer does: in the envelope, with the headers that all have. They are
 * made before there is a request that the application could see, so they are written to the bare connection.
 */
export const refuseInEnvelope = (server: Server, headers: Headers): void => {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answering.set(request.socket, response);
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = answering.get(socket);
    const isBetweenAnswers = response === undefined || response.writableEnded || !response.headersSent;
    if (error.code === 'ECONNRESET' || !socket.writable || !isBetweenAnswers) {
      socket.destroy();
      return;
    }
    const [kind, message] = reasons[error.code ?? ''] ?? ['bad-request', 'The request is not valid HTTP.'];
    writeTo(socket, refused(kind, message), headers);
  });

  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const error = new HttpError('method-not-allowed', 'CONNECT is not possible here.', { Allow: 'OPTIONS' });
    writeTo(socket, refusalFor(error, request), headers);
  });

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const error = new HttpError('expectation-failed', 'No such expectation can be met.');
    const { status, body, requestId } = refusalFor(error, request);
    response.writeHead(status, rawHeaders(body, requestId, headers));
    response.end(body);
  });
};

interface RawRefusal extends Reply {
  readonly requestId: string;
}

const refused = (kind: HttpErrorKind, message: string): RawRefusal =>
  refusalFor(new HttpError(kind, message));

const refusalFor = (error: HttpError, request?: IncomingMessage): RawRefusal => {
  const requestId = requestIdOf(request?.headers['x-request-id']);
  return { ...refusal(problemOf(error), requestId), requestId };
};

const rawHeaders = (body: string | null, requestId: string, headers: Headers): Headers => ({
  ...headers,
  'X-Request-Id': requestId,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': `${Buffer.byteLength(body ?? '')}`,
  Connection: 'close',
});

const writeTo = (
  socket: Duplex,
  { status, headers: own, body, requestId }: RawRefusal,
  headers: Headers,
): void => {
  const all = { ...rawHeaders(body, requestId, headers), ...own };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body ?? ''}`);
};
