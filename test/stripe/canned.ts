import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface CannedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A body that depends on the fields of the request. */
type Computed = (form: URLSearchParams) => unknown;

interface Request {
  /** Method and path, such as `GET /v1/refunds`. */
  readonly endpoint: string;
  readonly form: URLSearchParams;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The responses of one endpoint: always the same, or one after the other, where the last is repeated. */
export type Script = Readonly<Record<string, CannedResponse | readonly CannedResponse[] | Computed>>;

/** A provider with canned responses, which need not be as consistent as Stripe's. */
export interface CannedServer {
  readonly url: string;
  readonly requests: readonly Request[];
  close(): Promise<void>;
}

const unknown: CannedResponse = {
  status: 404,
  body: { error: { type: 'invalid_request_error', message: 'Unrecognized request URL.' } },
};

export const cannedServer = async (script: Script): Promise<CannedServer> => {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const endpoint = `${request.method} ${pathname}`;
    const form = request.method === 'GET' ? searchParams : new URLSearchParams(body);
    const scripted = script[endpoint] ?? unknown;
    const responses = typeof scripted === 'function' ? [{ body: scripted(form) }] : [scripted].flat();
    const turn = requests.filter((earlier) => earlier.endpoint === endpoint).length;
    requests.push({ endpoint, form, headers: request.headers });
    const answer = responses[turn] ?? responses.at(-1) ?? unknown;
    response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
