import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { abandonedInQueue, type OnRejected } from '../request/access-log-entry.ts';
import { markReceived } from '../request/context.ts';
import { createHttpServer, type Tls } from './create-server.ts';
import { drainServer } from './graceful-shutdown.ts';
import { Http1Connections } from './http1-connections.ts';
import { isHttp2Response } from './http2.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { InFlightResponses } from './in-flight.ts';
import { closeIdleUnlessUnread } from './let-go.ts';
import { AdmissionControl, type OverloadLimits } from './overload/admission-control.ts';
import { LoadShedder } from './overload/load-shedder.ts';
import { rejectWith503 } from './overload/reject-overloaded.ts';
import { handleClientErrors } from './parser-errors.ts';
import { SlowReaderGuard } from './slow-readers.ts';
import { checkIntervalMs } from './timeouts.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Plain HTTP without. */
  readonly tls?: Tls | undefined;
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the end is near: requests are still taken, and each connection ends with its next answer. */
  readonly draining?: AbortSignal;
  /** From where on there is too much to do. Without, everything is taken. */
  readonly limits?: OverloadLimits;
  /** Told of each request that never came as far as whoever handles them. */
  readonly onRejected?: OnRejected;
}

export interface Listener {
  readonly url: string;
  /** Shows another certificate to whoever connects from now on. @throws when it cannot be used */
  setCertificate(tls: Tls): void;
  /**
   * Takes no more requests, lets those under way finish, and resolves when all connections are closed.
   * @param within how long that may take, in milliseconds; then they are cut off
   */
  close(within?: number): Promise<void>;
}

/** Serves requests on a port. @throws the system's error when the port cannot be had */
export const listen = async (handle: RequestListener, options: ListenOptions): Promise<Listener> => {
  const { host, port, tls } = options;
  const server = await createHttpServer(tls);
  const close = serve(server, handle, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls ? 'https' : 'http'}://${name}:${address.port}`,
    // There is a certificate to be replaced only where the server was made with one.
    setCertificate: (another) => (server as unknown as TlsServer).setSecureContext({ ...another }),
    close,
  };
};

/** How many connections may wait to be taken; the system may allow fewer. Beyond it, clients wait for seconds. */
const backlog = 4_096;

/** How long what is under way may take once the server is closing, in milliseconds. */
const farewell = 8_000;

/** Answers what comes to a server. @returns how it is closed */
const serve = (
  server: Server,
  handle: RequestListener,
  { tls, headers, draining: leaving, limits: bounds, onRejected: refused }: ListenOptions,
): Listener['close'] => {
  closeIdleUnlessUnread(server);
  const connections = new Http1Connections(server, tls !== undefined);
  const sessions = new Http2Sessions(server);
  const underWay = new InFlightResponses((response) => {
    if (!isHttp2Response(response)) connections.requestFinished(response.req);
  });
  const unread = new SlowReaderGuard();
  const left = (request: IncomingMessage, response: ServerResponse): void =>
    refused?.(abandonedInQueue(request, response));
  const admission = bounds && new AdmissionControl(handle, bounds, left);
  const refusals = new LoadShedder();
  const refuse = rejectWith503(headers, 'There is too much to do just now: try again.');
  const giveUp = rejectWith503(headers, 'This server stops before there is an answer: try again.');
  let isEnding = leaving?.aborted ?? false;

  const take = (request: IncomingMessage, response: ServerResponse, expectsWord = false): void => {
    markReceived(response);
    if (isHttp2Response(response)) closeUnread(response);
    else if (isEnding) {
      // It came when the connection had been ended, and nobody would get the answer.
      if (request.socket.writableEnded) return;
      response.setHeader('Connection', 'close');
    }
    underWay.add(response);
    const obstacle = admission?.check(request.method);
    if (obstacle !== undefined) {
      bounds?.onShed?.(obstacle);
      refusals.add(() => {
        // The end of the server may have come before.
        if (response.headersSent) return;
        const exchange = refuse(request, response);
        refused?.(exchange);
      });
      return;
    }
    if (expectsWord) response.writeContinue();
    if (admission) admission.admit(request, response);
    else handle(request, response);
  };

  // HTTP/1 hands over a socket there, HTTP/2 an answer, which has the shape of HTTP/1's.
  server.on('connect', (_, given: unknown) => {
    const response = given as ServerResponse;
    if (isHttp2Response(response)) underWay.add(response);
  });
  handleClientErrors(server, headers, refused);
  if (admission) server.on('connection', () => admission.connected());
  server.on('request', take);
  // Whoever asks before sending a body is told to go on by Node, unless somebody else does.
  server.on('checkContinue', (request, response) => server.emit('request', request, response, true));
  // Node would refuse an unknown expectation without the envelope, too.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const rounds = setInterval(() => {
    unread.check(underWay.responses);
    sessions.closeIdle();
  }, checkIntervalMs).unref();

  const announceTheEnd = (): void => {
    isEnding = true;
    underWay.closeAfterResponse();
  };
  leaving?.addEventListener('abort', announceTheEnd, { once: true });

  return async (within = farewell) => {
    announceTheEnd();
    await drainServer({ server, connections, sessions, inFlight: underWay, abort: giveUp }, within);
    clearInterval(rounds);
    leaving?.removeEventListener('abort', announceTheEnd);
    // Now that there is nothing to destroy: it also ends Node's own rounds.
    server.close();
  };
};

/** What is left of the body of a request that has been answered, the client need not send. */
const closeUnread = (response: Http2ServerResponse): void => {
  const { stream, req } = response;
  if (stream.endAfterHeaders) return;
  stream.once('finish', () => {
    if (!req.complete) stream.close();
  });
};
