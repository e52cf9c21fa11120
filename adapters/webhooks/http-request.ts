import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { ReceiverError } from './receiver-error.ts';

/** The start of a response: all of it that is used. */
export interface ResponseHead {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpRequestOptions {
  readonly request: RequestOptions;
  readonly isSecure: boolean;
  readonly body: Buffer;
  readonly connectTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A receiver that sends more of these keeps a connection busy without an answer. */
const maxInformational = 10;

/** What the receiver does when it closes a kept connection while a request is on its way (the keep-alive race). */
const closedCodes = new Set(['ECONNRESET', 'EPIPE']);

/** The receiver has closed a kept connection before any response, so that another connection may serve. */
export class StaleConnection extends Error {}

/**
 * Sends one request and waits for the status and headers of its response.
 * @throws ReceiverError, StaleConnection, or the signal's reason
 */
export const sendHttpRequest = (options: HttpRequestOptions): Promise<ResponseHead> =>
  new Promise((resolve, reject) => {
    const { isSecure, body, connectTimeoutMs, totalTimeoutMs, signal } = options;
    signal?.throwIfAborted();
    const request = (isSecure ? httpsRequest : httpRequest)(options.request);
    let isSecuring = false;
    const timeOut = () => request.destroy(new ReceiverError('timed_out'));
    const abandon = () => request.destroy(signal?.reason);
    const connectTimer = setTimeout(timeOut, connectTimeoutMs);
    const totalTimer = setTimeout(timeOut, totalTimeoutMs);
    const settle = () => {
      clearTimeout(connectTimer);
      clearTimeout(totalTimer);
      signal?.removeEventListener('abort', abandon);
    };
    const fail = (error: unknown) => {
      settle();
      reject(failureOf(error));
    };
    const failureOf = (error: unknown): unknown => {
      if (signal?.aborted) return signal.reason;
      if (error instanceof ReceiverError) return error;
      const { code = '' } = error as NodeJS.ErrnoException;
      if (request.reusedSocket && closedCodes.has(code)) return new StaleConnection();
      return new ReceiverError(
        isSecuring || code.startsWith('ERR_SSL') ? 'tls_failed' : 'connection_failed',
        error,
      );
    };
    const succeed = ({ statusCode = 0, headers }: IncomingMessage) => {
      // RFC 9110 section 15 has codes of three digits from 100, and Node accepts any three digits.
      if (statusCode < 100) {
        fail(new ReceiverError('connection_failed'));
        request.destroy();
        return;
      }
      settle();
      resolve({ statusCode, headers });
    };

    request.on('socket', (socket) => {
      if (request.reusedSocket) return clearTimeout(connectTimer);
      socket.once('connect', () => {
        isSecuring = isSecure;
        if (!isSecure) clearTimeout(connectTimer);
      });
      socket.once('secureConnect', () => {
        isSecuring = false;
        clearTimeout(connectTimer);
      });
    });
    let informational = 0;
    const count = () => {
      informational += 1;
      if (informational > maxInformational) request.destroy(new ReceiverError('connection_failed'));
    };
    request.on('continue', count).on('information', count);
    request.on('response', (response) => {
      succeed(response);
      discardBody(request, response);
    });
    // Without this listener Node reports a switch of protocols as a lost connection.
    request.on('upgrade', (response, upgraded) => {
      succeed(response);
      upgraded.destroy();
    });
    request.on('error', fail);
    // Settles in every other case, such as a connection that ends without an error.
    request.on('close', () => fail(new ReceiverError('connection_failed')));
    signal?.addEventListener('abort', abandon, { once: true });
    request.end(body);
  });

/** After a body that ends within these limits the connection stays open for the next message. */
const maxDiscardedBytes = 4_096;
const discardTimeoutMs = 500;

/**
 * Lets the body of a response pass unseen. The connection is kept only where both messages soon end; otherwise it is closed,
 * which costs the next message a new one and the receiver its endless body.
 */
const discardBody = (request: ClientRequest, response: IncomingMessage): void => {
  const close = () => request.destroy();
  const timer = setTimeout(close, discardTimeoutMs);
  let bytes = 0;
  response.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > maxDiscardedBytes) close();
  });
  response.on('end', () => {
    // A receiver that answers before it has read the request may never read the rest.
    if (!request.writableFinished) close();
  });
  response.on('error', () => undefined);
  response.on('close', () => clearTimeout(timer));
  if (Number(response.headers['content-length'] ?? 0) > maxDiscardedBytes) close();
};
