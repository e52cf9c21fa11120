import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { reset } from '../../support/reset.ts';
import type { ApiResponse } from './client.ts';

/** The timeout for a response or the end of a connection, in milliseconds. */
const responseTimeoutMs = 40_000;

/** Real ones, also while the time of the service is simulated: sockets go on in real time. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const now = performance.now.bind(performance);

/** A raw connection for bytes that no client library would send. It reads the responses one after the other. */
export class Wire {
  readonly #socket: Socket;
  /** The connection below TLS, or the same. */
  readonly #tcp: Socket;
  #unread: Buffer = Buffer.alloc(0);
  #isOver = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket, tcp: Socket) {
    this.#socket = socket;
    this.#tcp = tcp;
    socket.on('data', (bytes: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, bytes]);
      this.#wake();
    });
    const over = () => {
      this.#isOver = true;
      this.#wake();
    };
    socket.on('end', over).on('close', over).on('error', over);
  }

  /** @param ca the certificate to trust, in PEM, for an HTTPS URL */
  static async open(url: string, ca?: string, tls: ConnectionOptions = {}): Promise<Wire> {
    const { protocol, hostname: host, port } = new URL(url);
    const to = { host, port: Number(port), allowHalfOpen: true };
    const tcp = connect(to);
    const socket =
      protocol === 'https:' ? connectSecurely({ ...to, ...tls, ...(ca && { ca }), socket: tcp }) : tcp;
    const wire = new Wire(socket, tcp);
    await new Promise<void>((resolve, reject) => {
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', resolve).once('error', reject);
    });
    return wire;
  }

  /** Sends text in latin1, so that each character is one byte. */
  write(bytes: string | Uint8Array): this {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this;
  }

  /** Reads no more, as a slow reader. */
  pause(): this {
    this.#socket.pause();
    return this;
  }

  /** Half-closes the connection; responses can still be read. */
  end(): void {
    this.#socket.end();
  }

  /** Closes the socket without reading what is left. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Resets the connection (RST). */
  reset(): void {
    reset(this.#tcp);
  }

  /** @param toHead whether it is the response to HEAD, which has no body */
  async answer(toHead = false): Promise<ApiResponse> {
    const head = await this.#until(() => this.#unread.indexOf('\r\n\r\n') + 4, 3);
    const [statusLine = '', ...lines] = head.toString('latin1').trimEnd().split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const headers = new Headers(lines.map((line) => pairOf(line)));
    const hasBody = !toHead && status >= 200 && status !== 204 && status !== 304;
    const length = headers.get('Content-Length');
    if (hasBody && length === null) throw new Error(`A response has no Content-Length: ${head}`);
    const text = (await this.#until(() => (hasBody ? Number(length) : 0), -1)).toString('utf8');
    const isJson = text !== '' && headers.get('Content-Type')?.startsWith('application/json');
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Resolves when the service has closed its end. @throws when it sent anything before */
  async closed(): Promise<void> {
    const deadline = now() + responseTimeoutMs;
    while (!this.#isOver) await this.#news(deadline);
    if (this.#unread.length > 0) throw new Error(`Unexpected data arrived: ${this.#unread}`);
    this.#socket.destroy();
  }

  /** Resolves when something has arrived that was not read. */
  async readable(): Promise<void> {
    const deadline = now() + responseTimeoutMs;
    while (this.#unread.length === 0) await this.#news(deadline);
  }

  /** Resolves when the connection is closed in both directions. */
  async gone(): Promise<void> {
    const deadline = now() + responseTimeoutMs;
    while (!this.#socket.closed) await this.#news(deadline);
  }

  /** The bytes up to the index that `end` returns, once it exceeds `least`. */
  async #until(end: () => number, least: number): Promise<Buffer> {
    const deadline = now() + responseTimeoutMs;
    for (;;) {
      const place = end();
      if (place > least && this.#unread.length >= place) {
        const bytes = this.#unread.subarray(0, place);
        this.#unread = this.#unread.subarray(place);
        return bytes;
      }
      if (this.#isOver) throw new Error(`The connection was closed after: ${this.#unread}`);
      await this.#news(deadline);
    }
  }

  async #news(deadline: number): Promise<void> {
    const left = deadline - now();
    if (left <= 0) throw new Error(`No more data arrived after: ${this.#unread}`);
    await new Promise<void>((resolve) => {
      const timer = startTimer(resolve, left);
      this.#wake = () => {
        stopTimer(timer);
        resolve();
      };
    });
  }
}

const pairOf = (line: string): [string, string] => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
};

/** Sends a request, reads its response, and checks whether the service closed the connection. */
export const errorOnTheWire = async (url: string, bytes: string | Uint8Array): Promise<ApiResponse> => {
  const wire = await Wire.open(url);
  const response = await wire.write(bytes).answer();
  await wire.closed();
  return response;
};

/** A request as text, with a Host header. */
export const requestText = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: portico.test', ...headers, '', body].join('\r\n');

export const credential = (client: { readonly token: string | undefined }): string =>
  `Authorization: Bearer ${client.token}`;

/** A request with a JSON body and its Content-Length. */
export const jsonText = (line: string, headers: readonly string[], body: string): string =>
  requestText(
    line,
    [...headers, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`],
    body,
  );
