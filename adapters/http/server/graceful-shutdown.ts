import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { InFlightResponses } from '../request/in-flight.ts';
import type { Connections } from './connections.ts';
import { rejectSlowRequest } from './parser-errors.ts';

interface Dependencies {
  readonly server: Server;
  readonly connections: Connections;
  readonly inFlight: InFlightResponses;
  /** Responds 503 to a request that will not be finished. */
  readonly abort: (request: IncomingMessage, response: ServerResponse) => void;
}

/** How often the drain checks for connections that have become idle. */
const idleCheckIntervalMs = 25;

/** How long before the shutdown timeout the requests that are still in flight are aborted. */
const finalNoticeMs = 300;

/**
 * Graceful shutdown (drain): accepts no more connections, lets in-flight requests finish, and resolves when all connections are
 * closed. Shortly before the timeout, requests without a response get 503 or 408.
 * @param timeoutMs after it, the remaining connections are destroyed
 */
export const drainServer = async (
  { server, connections, inFlight, abort }: Dependencies,
  timeoutMs: number,
): Promise<void> => {
  const closed = new Promise<unknown>((resolve) => {
    // The HTTP server's own `close` destroys idle connections, and requests that are on their way to them with it.
    NetServer.prototype.close.call(server, resolve);
  });
  const closeIdle = (): void => connections.closeIdle(inFlight.busySockets);
  closeIdle();
  const finalNotice = (): void => {
    for (const socket of connections.partialRequests(inFlight.busySockets)) rejectSlowRequest(server, socket);
    for (const response of inFlight.responses) if (!response.headersSent) abort(response.req, response);
  };
  const idleChecks = setInterval(closeIdle, idleCheckIntervalMs);
  const notice = setTimeout(finalNotice, Math.max(timeoutMs - finalNoticeMs, timeoutMs / 2));
  const timeout = setTimeout(() => connections.destroyAll(), timeoutMs);
  await closed;
  clearTimeout(notice);
  clearTimeout(timeout);
  clearInterval(idleChecks);
};
