import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Connections } from './http1-connections.ts';
import type { Sessions } from './http2-sessions.ts';
import type { UnderWay } from './in-flight.ts';
import { tooSlow } from './parser-errors.ts';

interface Parts {
  readonly server: Server;
  readonly connections: Connections;
  readonly sessions: Sessions;
  readonly underWay: UnderWay;
  /** Answers that there will be no answer. */
  readonly giveUp: (request: IncomingMessage, response: ServerResponse) => void;
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
export const endGently = async (
  { server, connections, sessions, underWay, giveUp }: Parts,
  within: number,
): Promise<void> => {
  const closed = new Promise<unknown>((resolve) => {
    // Node's own way of closing a server of HTTP destroys idle connections, with what is on its way to them.
    NetServer.prototype.close.call(server, resolve);
  });
  sessions.close();
  const endIdle = (): void => connections.endIdle(underWay.sockets);
  endIdle();
  const sayLastWord = (): void => {
    for (const socket of connections.beginning(underWay.sockets)) tooSlow(server, socket);
    for (const response of underWay.responses) if (!response.headersSent) giveUp(response.req, response);
  };
  const glances = setInterval(endIdle, glance);
  const last = setTimeout(sayLastWord, Math.max(within - lastWord, within / 2));
  const cutOff = setTimeout(() => connections.cutOff(), within);
  await closed;
  clearTimeout(last);
  clearTimeout(cutOff);
  clearInterval(glances);
};
