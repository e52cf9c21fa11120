import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { allowedReceiversForm, parseAllowedReceivers } from '#adapters/webhooks/allowed-receivers.ts';
import type { FindAddresses } from '#adapters/webhooks/find-addresses.ts';
import { receiverGuard } from '#adapters/webhooks/receiver-guard.ts';
import { type HttpWebhookSender, httpWebhookSender } from '#adapters/webhooks/sender.ts';
import { Instant } from '#domain/instant.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

export interface Receiver {
  readonly port: number;
  readonly received: Received[];
  /** The connections that were opened, and those that are open. */
  readonly opened: Socket[];
  open(): number;
  close(): Promise<void>;
}

/** Starts any server on 127.0.0.1 and follows its connections. */
export const listen = async (server: Server, received: Received[] = []): Promise<Receiver> => {
  const opened: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    opened.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    opened,
    open: () => opened.filter((socket) => !socket.destroyed).length,
    close: async () => {
      for (const socket of opened) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A receiver that keeps what it gets, and answers with `respond` or with 204. */
export const startReceiver = (
  respond: RequestListener = (_, response) => response.writeHead(204).end(),
  tls?: ServerOptions,
): Promise<Receiver> => {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body, path: request.url ?? '' });
      respond(request, response);
    });
  };
  return listen(tls ? createSecureServer(tls, listener) : createServer(listener), received);
};

interface SenderOptions {
  /** The setting WEBHOOK_ALLOW. */
  readonly allow?: string;
  readonly findAddresses?: FindAddresses;
  readonly trusted?: string;
  readonly timeouts?: { readonly connect: number; readonly total: number };
  readonly now?: () => number;
}

/** A sender whose clock is this machine's. */
export const testSender = ({
  allow,
  findAddresses,
  now = Date.now,
  ...rest
}: SenderOptions): HttpWebhookSender => {
  const allowed = allow === undefined ? [] : parseAllowedReceivers(allow);
  if (allowed === undefined) throw new TypeError(`${allow} must be ${allowedReceiversForm}.`);
  const guard = receiverGuard({ allowed, ...(findAddresses && { findAddresses }) });
  return httpWebhookSender({ guard, clock: { now: () => Instant.at(now()) }, ...rest });
};

/** 32 random bytes, as the secret of an endpoint has them. */
export const exampleSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export const messageTo = (url: string, secrets: readonly string[] = [exampleSecret]) => ({
  ...{ url, secrets },
  id: '0199c1b2-7a30-7cc3-9f4e-5d2a61b0c7d8',
  body: JSON.stringify({ type: 'order.paid', data: { name: 'Zoë' } }),
});
