import type { RequestListener, ServerResponse } from 'node:http';
import type { AccessLogEntry } from '#adapters/http/request/access-log-entry.ts';
import { notifyResponded } from '#adapters/http/request/node-response.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import type { Overload } from '#adapters/http/server/overload/admission-control.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { certificate } from './certificate.ts';
import { allowedOrigin } from './protocol.ts';
import { requestText, Wire } from './wire.ts';

export const headers = commonHeaders({
  origin: allowedOrigin,
  methods: 'GET, POST, PUT, DELETE',
  headers: 'Content-Type, Authorization',
});

const largeBody = Buffer.alloc(8 * 1024 * 1024);

interface Options {
  readonly isSecure?: boolean;
  readonly maxInFlight?: number;
}

/** A server that sheds load, in simulated time. What it serves is decided by the path. */
export class LimitedServer {
  readonly time = new FlowingTime();
  readonly shed: Overload[] = [];
  readonly entries: AccessLogEntry[] = [];
  /** Requests of `/held`, which get no response by themselves. */
  readonly held: ServerResponse[] = [];
  /** Responses of `/large`, which are longer than what a connection buffers. */
  readonly large: ServerResponse[] = [];
  /** How long the store would let a request wait, in milliseconds. */
  readonly storeDelay = { read: 0, change: 0 };
  #listener: Listener | undefined;

  async start({ isSecure, maxInFlight = 2 }: Options = {}): Promise<void> {
    const { cert, key } = certificate;
    this.#listener = await listen(this.#handle, {
      ...{ host: '127.0.0.1', port: 0, headers },
      ...(isSecure && { tls: { cert, key } }),
      limits: {
        maxInFlight,
        storeDelay: (purpose) => this.storeDelay[purpose],
        onShed: (reason) => this.shed.push(reason),
      },
      onRejected: (entry) => this.entries.push(entry),
    });
  }

  get url(): string {
    if (this.#listener === undefined) throw new Error('The server is not started.');
    return this.#listener.url;
  }

  open(): Promise<Wire> {
    return Wire.open(this.url, certificate.cert);
  }

  /** Has so many requests in flight. */
  async occupy(count: number): Promise<void> {
    const wires = await Promise.all(Array.from({ length: count }, () => this.open()));
    const expected = this.held.length + count;
    for (const wire of wires) wire.write(requestText('GET /held'));
    await this.untilHeld(expected);
  }

  /** Resolves when so many requests are held. */
  async untilHeld(count: number): Promise<void> {
    await this.time.until(
      async () => this.held.length,
      (length) => length === count,
    );
  }

  async end(): Promise<void> {
    for (const response of this.held) response.end();
    await this.#listener?.close();
    this.time.end();
  }

  readonly #handle: RequestListener = ({ url }, response) => {
    if (url === '/held') {
      this.held.push(response);
      return;
    }
    if (url === '/long') this.time.work(5);
    if (url === '/short') this.time.work(0.1);
    if (url === '/large') this.large.push(response);
    notifyResponded(response);
    response.end(url === '/large' ? largeBody : '');
  };
}
