import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Control } from './control.ts';
import { readForm, readJson } from './form.ts';
import type { StripeResponse } from './response.ts';

/** Of the paths by which tests direct a server in another process. */
const prefix = '/control/';

/** @param port 0 for any that is free */
export const startServer = async (control: Control, port: number): Promise<Server> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // A client that goes away midway does not matter here: its request is carried out all the same.
    handle(control, request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const handle = async (
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { method = '', url = '', headers } = request;
  const body = await text(request);
  const { pathname: path, search } = new URL(url, 'http://127.0.0.1');
  if (path.startsWith(prefix))
    return send(response, await control.answer(method, path.slice(prefix.length), body));

  const key = headers['idempotency-key'];
  const outcome = await control.provider.answer({
    method,
    path,
    form:
      path.startsWith('/v2/') && method !== 'GET'
        ? readJson(body)
        : readForm(method === 'GET' ? search : body),
    authorization: headers.authorization,
    key: typeof key === 'string' ? key : undefined,
    version: headers['stripe-version']?.toString(),
  });
  if (outcome === undefined) {
    request.socket.destroy();
    return;
  }
  response.setHeader('Request-Id', `req_${randomBytes(7).toString('hex')}`);
  if (typeof key === 'string') response.setHeader('Idempotency-Key', key);
  if (outcome.replayed) response.setHeader('Idempotent-Replayed', 'true');
  send(response, outcome.answer);
};

const send = (response: ServerResponse, { status, body }: StripeResponse): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};
