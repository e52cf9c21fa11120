import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Settings,
} from 'node:http2';
import type { Answer } from './client.ts';

/** A connection of HTTP/2, on which a test asks what it likes, many things at once. */
export class Session {
  readonly #session: ClientHttp2Session;
  readonly #token: string;
  /** Resolves when the server has said that it takes no more. */
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
    // Node's client would send no header twice, and its types do not know that it can be asked to.
    const options = { ca, settings, strictSingleValueFields: false };
    const session = connect(url, options);
    await once(session, 'connect');
    return new Session(session, token);
  }

  /** A request whose body, if it has one, is still to come. */
  begin(method: string, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
    const authorization = `Bearer ${this.#token}`;
    const stream = this.#session.request({ ':method': method, ':path': path, authorization, ...headers });
    stream.on('error', () => undefined);
    return stream;
  }

  ask(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const stream = this.begin(method, path, { ...type, ...headers });
    stream.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    return answerOn(stream);
  }

  close(): void {
    this.#session.destroy();
  }
}

/** @throws when the stream ends without an answer */
export const answerOn = async (stream: ClientHttp2Stream): Promise<Answer> => {
  const parts: Buffer[] = [];
  let received: IncomingHttpHeaders | undefined;
  stream.once('response', (headers) => {
    received = headers;
  });
  stream.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => stream.once('end', resolve).once('close', resolve));
  if (received === undefined) throw new Error(`There was no answer: ${stream.rstCode}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (!name.startsWith(':')) headers.set(name, `${value}`);
  }
  const text = Buffer.concat(parts).toString('utf8');
  const isJson = text !== '' && headers.get('Content-Type')?.startsWith('application/json');
  return { status: Number(received[':status']), headers, text, body: isJson ? JSON.parse(text) : undefined };
};
