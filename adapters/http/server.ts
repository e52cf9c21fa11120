import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { refuseInEnvelope } from './parser-refusals.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** PEM texts; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Listener {
  readonly url: string;
  /** Takes no more requests, lets those under way finish, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** How long the headers, and the whole request, may take to arrive, in milliseconds. */
const timeouts = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
};

/** How long what is under way may take once the server is closing, in milliseconds. */
const farewell = 8_000;

/** Node would refuse a missing Host without the envelope; the application does it with. */
const leniency = { requireHostHeader: false };

/** Serves requests on a port. @throws the system's error when the port cannot be had */
export const listen = async (handle: RequestListener, options: ListenOptions): Promise<Listener> => {
  const { host, port, tls, headers } = options;
  const settings = { ...timeouts, ...leniency };
  const server = tls ? createSecureServer({ ...settings, ...tls }) : createServer(settings);
  const closing = closeWhenAsked(server, handle);
  // Node would refuse an unknown expectation without the envelope, too.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  refuseInEnvelope(server, headers);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `${tls ? 'https' : 'http'}://${name}:${address.port}`, close: closing };
};

/**
 * A connection that is kept alive would keep the server open for ever: while closing, each answer ends its own. One
 * on which nothing has been asked yet is no reason to wait, and nobody is waited for without end.
 */
const closeWhenAsked = (server: Server, handle: RequestListener): (() => Promise<void>) => {
  const silent = new Set<Socket>();
  const connections = new Set<Socket>();
  const underWay = new Set<ServerResponse>();
  let isClosing = false;
  remember(server, 'connection', connections);
  remember(server, server instanceof SecureServer ? 'secureConnection' : 'connection', silent);
  server.on('request', (request, response) => {
    silent.delete(request.socket);
    if (isClosing) response.setHeader('Connection', 'close');
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    handle(request, response);
  });
  return () =>
    new Promise((resolve, reject) => {
      isClosing = true;
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
      const cutOff = setTimeout(() => destroyAll(connections), farewell);
      server.close((error) => {
        clearTimeout(cutOff);
        if (error) reject(error);
        else resolve();
      });
      server.closeIdleConnections();
      destroyAll(silent);
    });
};

const remember = (server: Server, event: string, sockets: Set<Socket>): void => {
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
};

const destroyAll = (sockets: Iterable<Socket>): void => {
  for (const socket of sockets) socket.destroy();
};
