import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requestBytes } from './request.ts';

/** The response to a request. */
export interface RawResponse {
  readonly status: number;
  /** Head and body as they were received. */
  readonly bytes: Buffer;
}

type OnResponse = (response: RawResponse | Error) => void;

const headEnd = Buffer.from('\r\n\r\n');
const contentLength = /\r\ncontent-length: (\d+)/i;
const closing = /\r\nconnection: close/i;

/**
 * A connection that sends prepared requests one after the other. It parses only enough of HTTP to find the end of a response, so
 * that the load generator costs little CPU: every response needs a Content-Length.
 */
export class Connection {
  readonly #socket: Socket;
  #onResponse: OnResponse | undefined;
  #received: Buffer | undefined;
  #isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The connection was closed.')));
  }

  /** Resolves with an established connection. */
  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  /** Whether it can carry another request. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param onResponse called once with the response, or with the error */
  send(request: Buffer, onResponse: OnResponse): void {
    this.#onResponse = onResponse;
    this.#socket.write(request);
  }

  /** Reads a resource. @returns the response as text @throws unless it is 200 */
  async read(path: string, token: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<RawResponse | Error>();
    this.send(requestBytes('GET', path, { Authorization: `Bearer ${token}` }), resolve);
    const response = await promise;
    if (response instanceof Error || response.status !== 200)
      throw new Error(`${path}: ${response instanceof Error ? response.message : response.status}`);
    return response.bytes.toString();
  }

  /** Closes at once, and drops the response to a request in flight. */
  destroy(): void {
    this.#onResponse = undefined;
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    const end = received.indexOf(headEnd);
    const head = end < 0 ? '' : received.toString('latin1', 0, end);
    const length = end < 0 ? 0 : end + headEnd.length + Number(contentLength.exec(head)?.[1] ?? 0);
    if (end < 0 || received.length < length) {
      this.#received = received;
      return;
    }
    this.#received = undefined;
    if (closing.test(head)) this.#closeAfterResponse();
    this.#notify({ status: Number(head.slice(9, 12)), bytes: received });
  }

  #closeAfterResponse(): void {
    this.#isOpen = false;
    this.#socket.end();
  }

  #fail(error: Error): void {
    this.#isOpen = false;
    this.#notify(error);
  }

  #notify(response: RawResponse | Error): void {
    const onResponse = this.#onResponse;
    this.#onResponse = undefined;
    onResponse?.(response);
  }
}
