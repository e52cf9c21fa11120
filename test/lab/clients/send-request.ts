import { Agent, request } from 'node:http';
import { reset } from '../../support/reset.ts';

/** A server as its clients know it. */
export interface ReachedServer {
  readonly name: string;
  readonly port: number;
  /** The requests that are in flight. */
  inFlight: number;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  /** Undefined for a request that only reads. */
  readonly key?: string;
  /** JSON. */
  readonly body: string;
}

export interface RawResponse {
  readonly status: number;
  readonly replayed: boolean;
  /** The body to the byte. */
  readonly text: string;
}

interface Options {
  /** Whether the connection may have been used before, and be used again. */
  readonly keepAlive: boolean;
  /** When to reset the connection, in milliseconds after the request has been sent. */
  readonly cutAfter: number | undefined;
}

/** Why there is no response. Only a server that was not listening has surely not received the request. */
export type NoResponse = 'not listening' | 'cut' | 'too late';

/** Longer than anything in a server takes, even while its database is unavailable. */
const requestTimeoutMs = 20_000;

const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request, and may reset its connection as careless clients do. */
export const sendRequest = (
  server: ReachedServer,
  { method, path, token, key, body }: Request,
  { keepAlive, cutAfter }: Options,
): Promise<RawResponse | NoResponse> =>
  new Promise((resolve) => {
    server.inFlight += 1;
    const done = (outcome: RawResponse | NoResponse): void => {
      if (ended) return;
      ended = true;
      server.inFlight -= 1;
      clearTimeout(cutting);
      clearTimeout(waiting);
      resolve(outcome);
    };
    let ended = false;
    let cutting: NodeJS.Timeout | undefined;
    const sent = request(
      {
        host: '127.0.0.1',
        port: server.port,
        method,
        path,
        agent: keepAlive ? keepAliveAgent : false,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', () => done('cut'));
        response.once('end', () =>
          done({
            status: response.statusCode ?? 0,
            replayed: response.headers['idempotent-replayed'] === 'true',
            text: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    const waiting = setTimeout(() => {
      done('too late');
      sent.destroy();
    }, requestTimeoutMs);
    sent.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ECONNREFUSED' ? 'not listening' : 'cut'),
    );
    sent.once('finish', () => {
      if (cutAfter !== undefined) cutting = setTimeout(() => sent.socket && reset(sent.socket), cutAfter);
    });
    sent.end(body);
  });
