import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Settings,
} from 'node:http2';
import type { ApiResponse } from './client.ts';

/** An HTTP/2 session, on which a test sends many requests at once. */
export class Session {
  readonly #session: ClientHttp2Session;
  readonly #token: string;
  /** Resolves when the server has sent GOAWAY. */
  readonly goaway: Promise<void>;
  readonly closed: Promise<void>;

  private constructor(session: ClientHttp2Session, token: string) {
    this.#session = session;
    this.#token = token;
    session.on('error', () => undefined);
    this.goaway = new Promise((resolve) => session.once('goaway', () => resolve()));
    this.closed = new Promise((resolve) => session.once('close', resolve));
  }

  static async open(url: string, ca: string, token: string, settings: Settings = {}): Promise<Session> {
    // Node's client sends a duplicate header only from raw headers, which its types do not know.
    const options = { ca, settings, strictSingleValueFields: false };
    const session = connect(url, options);
    await once(session, 'connect');
    return new Session(session, token);
  }

  /** Sends the headers of a request, whose body may follow. */
  begin(method: string, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
    const authorization = `Bearer ${this.#token}`;
    const stream = this.#session.request({ ':method': method, ':path': path, authorization, ...headers });
    stream.on('error', () => undefined);
    return stream;
  }

  ask(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<ApiResponse> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const stream = this.begin(method, path, { ...type, ...headers });
    stream.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    return responseOn(stream);
  }

  close(): void {
    this.#session.destroy();
  }
}

/** @throws when the stream ends without a response */
export const responseOn = async (stream: ClientHttp2Stream): Promise<ApiResponse> => {
  const parts: Buffer[] = [];
  let received: IncomingHttpHeaders | undefined;
  stream.once('response', (headers) => {
    received = headers;
  });
  stream.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => stream.once('end', resolve).once('close', resolve));
  if (received === undefined) throw new Error(`No response arrived: ${stream.rstCode}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (!name.startsWith(':')) headers.set(name, `${value}`);
  }
  const text = Buffer.concat(parts).toString('utf8');
  const isJson = text !== '' && headers.get('Content-Type')?.startsWith('application/json');
  return { status: Number(received[':status']), headers, text, body: isJson ? JSON.parse(text) : undefined };
};
