import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { abandonedInQueue, type OnRejected } from '../request/access-log-entry.ts';
import { InFlightResponses } from '../request/in-flight.ts';
import { expectContinue, markReceived } from '../request/node-response.ts';
import { inOrder, latestResponse, setLatestResponse } from '../request/pipelining.ts';
import { Connections, closeIdleUnlessUnread } from './connections.ts';
import { createHttpServer, type Tls } from './create-server.ts';
import { drainServer } from './graceful-shutdown.ts';
import { admissionControl, type OverloadLimits } from './overload/admission-control.ts';
import { rejectWith503 } from './overload/reject-overloaded.ts';
import { rejectionPacer } from './overload/rejection-pacer.ts';
import { handleClientErrors } from './parser-errors.ts';
import { checkIntervalMs, SlowReaderGuard } from './slow-readers.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Without it the server speaks plain HTTP. */
  readonly tls?: Tls | undefined;
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts before the shutdown: requests are still accepted, and each connection closes after its next response. */
  readonly draining?: AbortSignal;
  /** Above these limits the server sheds load. Without them it accepts every request. */
  readonly limits?: OverloadLimits;
  /** Whether a trusted proxy is in front, which names the client's address. */
  readonly behindProxy?: boolean;
  /** Called for each request that ended before the application handled it. */
  readonly onRejected?: OnRejected;
}

export interface Listener {
  readonly url: string;
  /**
   * Replaces the certificate for new connections.
   * @throws when the certificate or its key is invalid
   */
  setCertificate(tls: Tls): void;
  /**
   * Graceful shutdown: accepts no more requests, waits for those in flight, and resolves when all connections are closed.
   * @param timeoutMs after it, the remaining connections are destroyed
   */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Serves requests on a port.
 * @throws the system's error when the port cannot be bound
 */
export const listen = (handle: RequestListener, options: ListenOptions): Promise<Listener> =>
  listenWith(options, () => ({ handle, ...options }));

/** What serves the requests of a port. */
interface Serving extends Omit<ListenOptions, 'host' | 'port' | 'tls'> {
  readonly handle: RequestListener;
}

/**
 * Opens a port, and serves requests by what depends on its address, such as a free port that was selected.
 * @param make called with the URL before the first connection is accepted
 * @throws the system's error when the port cannot be bound, and what `make` throws
 */
export const listenWith = async (
  { host, port, tls }: Pick<ListenOptions, 'host' | 'port' | 'tls'>,
  make: (url: string) => Serving,
): Promise<Listener> => {
  const { server, setCertificate } = await createHttpServer(tls);
  const opened = Promise.withResolvers<Listener>();
  server.once('error', opened.reject);
  server.listen({ host, port, backlog: maxBacklog }, () => {
    server.off('error', opened.reject);
    const address = server.address() as AddressInfo;
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    const url = `${tls ? 'https' : 'http'}://${name}:${address.port}`;
    try {
      opened.resolve({ url, setCertificate, close: serve(server, tls !== undefined, make(url)) });
    } catch (error) {
      server.close();
      opened.reject(error);
    }
  });
  return opened.promise;
};

/** Connections that may wait to be accepted; the system may allow fewer. Beyond it, clients retry the handshake after seconds. */
const maxBacklog = 4_096;

const shutdownTimeoutMs = 8_000;

/**
 * Connects a server's events to the handler, with admission control, load shedding, and the guards of its connections.
 * @returns the graceful shutdown
 */
const serve = (
  server: Server,
  isSecure: boolean,
  { handle, headers, draining, limits, behindProxy = false, onRejected }: Serving,
): Listener['close'] => {
  closeIdleUnlessUnread(server);
  const connections = new Connections(server, isSecure);
  const inFlight = new InFlightResponses((response) => connections.requestFinished(response.req));
  const slowReaders = new SlowReaderGuard();
  const onAbandoned = (request: IncomingMessage, response: ServerResponse): void =>
    onRejected?.(abandonedInQueue(request, response, behindProxy));
  const start = inOrder(handle, onAbandoned);
  const admission = limits && admissionControl(start, limits, onAbandoned);
  const pace = rejectionPacer();
  const shed = rejectWith503(headers, 'overloaded', behindProxy);
  const abort = rejectWith503(headers, 'draining', behindProxy);
  let isDraining = draining?.aborted ?? false;

  const onRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue = false): void => {
    markReceived(response);
    const { socket } = request;
    // Node parses also what arrives on a connection that was ended.
    if (socket.writableEnded) return;
    if (isDraining) {
      const earlier = latestResponse(socket);
      if (earlier && !earlier.headersSent && !hasUpgrade(earlier.req)) earlier.removeHeader('Connection');
    }
    if (isDraining || hasUpgrade(request)) response.setHeader('Connection', 'close');
    setLatestResponse(socket, response);
    inFlight.add(response);
    const overload = admission?.check(request.method);
    if (overload !== undefined) {
      limits?.onShed?.(overload);
      pace(() => {
        // The shutdown may have aborted the request meanwhile.
        if (response.headersSent) return;
        const entry = shed(request, response);
        onRejected?.(entry);
      });
      return;
    }
    if (expectsContinue) expectContinue(response);
    if (admission) admission.admit(response);
    else start(request, response);
  };

  handleClientErrors(server, { headers, behindProxy, onRejected });
  if (admission) server.on('connection', () => admission.connected());
  server.on('request', onRequest);
  // Without a listener Node sends 100 Continue itself, even where the headers suffice to reject the request.
  server.on('checkContinue', (request, response) => server.emit('request', request, response, true));
  // Without a listener Node responds 417 outside of the error envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const checks = setInterval(() => slowReaders.check(inFlight.responses), checkIntervalMs).unref();

  const startDraining = (): void => {
    isDraining = true;
    inFlight.closeAfterLastResponse();
  };
  draining?.addEventListener('abort', startDraining, { once: true });

  return async (timeoutMs = shutdownTimeoutMs) => {
    startDraining();
    await drainServer({ server, connections, inFlight, abort }, timeoutMs);
    clearInterval(checks);
    draining?.removeEventListener('abort', startDraining);
    // Stops Node's own connection checks. No connection is left that it could destroy.
    server.close();
  };
};

/** No upgrade is supported. Node drops what arrives in one packet with a request for one, so the connection cannot be kept. */
const hasUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;
