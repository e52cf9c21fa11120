import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** The parts of the path, decoded. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

interface Recorder {
  readonly url: string;
  /** The requests since the last call, in their order. */
  take(): readonly Arrived[];
  close(): void;
}

/** A server that keeps what it receives. */
export const startRecorder = async (): Promise<Recorder> => {
  let arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://recorder');
    const body = await text(request);
    arrived.push({
      method: request.method ?? '',
      path: pathname.split('/').map(decodeURIComponent),
      query: Object.fromEntries(searchParams),
      headers: request.headers as Arrived['headers'],
      body: body === '' ? undefined : JSON.parse(body),
    });
    const hasBody = request.method !== 'DELETE';
    response.writeHead(hasBody ? 200 : 204, { 'Content-Type': 'application/json' });
    response.end(hasBody ? '{"data":{}}' : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
