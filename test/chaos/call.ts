import { Agent, request } from 'node:http';
import { reset } from '../support/reset.ts';
import type { Server } from './server.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly key: string;
  /** JSON. */
  readonly body: string;
}

export interface Answer {
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

/** Why there is no answer. A server that was not there has not seen the request; otherwise it may have. */
export type Lost = 'not there' | 'cut' | 'too late';

/** Nothing in a server takes that long, not even a database that is away. */
const most = 20_000;

const kept = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request, as impatient and careless as clients are. */
export const call = (
  server: Server,
  { method, path, token, key, body }: Request,
  { keepAlive, cutAfter }: Options,
): Promise<Answer | Lost> =>
  new Promise((resolve) => {
    server.underWay += 1;
    const done = (outcome: Answer | Lost): void => {
      if (ended) return;
      ended = true;
      server.underWay -= 1;
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
        agent: keepAlive ? kept : false,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'Idempotency-Key': key,
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
    }, most);
    sent.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ECONNREFUSED' ? 'not there' : 'cut'),
    );
    sent.once('finish', () => {
      if (cutAfter !== undefined) cutting = setTimeout(() => sent.socket && reset(sent.socket), cutAfter);
    });
    sent.end(body);
  });
