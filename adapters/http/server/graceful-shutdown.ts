import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Http1Connections } from './http1-connections.ts';
import type { Http2Sessions } from './http2-sessions.ts';
import type { InFlightResponses } from './in-flight.ts';
import { rejectSlowRequest } from './parser-errors.ts';

interface Dependencies {
  readonly server: Server;
  readonly connections: Http1Connections;
  readonly sessions: Http2Sessions;
  readonly inFlight: InFlightResponses;
  /** Answers that there will be no answer. */
  readonly abort: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Between two looks for connections that have become idle, in milliseconds. */
const glance = 25;

/** How long before the end whoever has no answer yet is told that there will be none, in milliseconds. */
const lastWord = 300;

/**
 * Takes no more connections, lets those that there are end with what is under way on them, and resolves when there are
 * none.
 * @param within how long that may take, in milliseconds; then they are cut off
 */
export const drainServer = async (
  { server, connections, sessions, inFlight: underWay, abort: giveUp }: Dependencies,
  within: number,
): Promise<void> => {
  const closed = new Promise<unknown>((resolve) => {
    // Node's own way of closing a server of HTTP destroys idle connections, with what is on its way to them.
    NetServer.prototype.close.call(server, resolve);
  });
  sessions.close();
  const endIdle = (): void => connections.closeIdle(underWay.busySockets);
  endIdle();
  const sayLastWord = (): void => {
    for (const socket of connections.partialRequests(underWay.busySockets)) rejectSlowRequest(server, socket);
    for (const response of underWay.responses) if (!response.headersSent) giveUp(response.req, response);
  };
  const glances = setInterval(endIdle, glance);
  const last = setTimeout(sayLastWord, Math.max(within - lastWord, within / 2));
  const cutOff = setTimeout(() => connections.destroyAll(), within);
  await closed;
  clearTimeout(last);
  clearTimeout(cutOff);
  clearInterval(glances);
};
