import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { portOf } from '../bootstrap/support/ports.ts';
import { reset } from './reset.ts';

/** Whether data passes, is dropped silently, or connections are rejected. */
type Mode = 'pass' | 'swallow' | 'refuse';

/** Sees the data of one connection. */
export interface Observer {
  /** Called with what the client sends. */
  sent(data: Buffer): void;
  /** Called with what the server sends. */
  received(data: Buffer): void;
}

/** A TCP proxy between a client and a server that fails as networks do. It can act as a load balancer too. */
export class Network {
  readonly #server: Server;
  readonly #port: number;
  readonly #ways = new Set<Way>();
  #target: number;
  #mode: Mode = 'pass';
  #delay = 0;
  #sent = 0;
  readonly #observe: (() => Observer) | undefined;

  private constructor(server: Server, target: number, observe: (() => Observer) | undefined) {
    this.#server = server;
    this.#observe = observe;
    this.#port = portOf(server);
    this.#target = target;
    server.on('connection', (socket) => this.#open(socket));
  }

  /**
   * @param url address of the server behind the proxy
   * @param observe makes the observer of each new connection
   */
  static async to(url: string, observe?: () => Observer): Promise<Network> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Network(server, Number(new URL(url).port), observe);
  }

  /** The same address, through the proxy. */
  through(url: string): string {
    const address = new URL(url);
    address.host = `127.0.0.1:${this.#port}`;
    return address.href;
  }

  /** Number of open connections. */
  get size(): number {
    return this.#ways.size;
  }

  /** Number of chunks that clients have sent. */
  get sent(): number {
    return this.#sent;
  }

  /** Routes new connections to another server and resets the existing ones. */
  pointTo(url: string): void {
    this.#target = Number(new URL(url).port);
    this.reset();
  }

  /**
   * Drops all data silently, as a firewall that has forgotten its connections. New connections are accepted and get no
   * response.
   */
  swallow(): void {
    this.#mode = 'swallow';
    for (const way of this.#ways) way.lose();
  }

  /** Resets all connections and rejects new ones. */
  async refuse(): Promise<void> {
    this.#mode = 'refuse';
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.reset();
    await closed;
  }

  /** Lets data pass again, on new connections at least. */
  async pass(delay = 0): Promise<void> {
    const wasRefusing = this.#mode === 'refuse';
    this.#mode = 'pass';
    this.#delay = delay;
    if (!wasRefusing) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Resets every connection. */
  reset(): void {
    for (const way of this.#ways) way.reset();
  }

  async close(): Promise<void> {
    this.reset();
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #open(socket: Socket): void {
    const way = new Way(socket, this.#target, () => this.#delay, this.#observe?.());
    this.#ways.add(way);
    socket.on('data', () => {
      this.#sent += 1;
    });
    socket.once('close', () => this.#ways.delete(way));
    if (this.#mode === 'swallow') way.lose();
  }
}

/** A connection through the proxy: one to each side. */
class Way {
  readonly #client: Socket;
  readonly #server: Socket;
  #isLost = false;

  constructor(client: Socket, port: number, delay: () => number, observer: Observer | undefined) {
    this.#client = client;
    this.#server = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    if (observer !== undefined) {
      this.#client.on('data', (data: Buffer) => observer.sent(data));
      this.#server.on('data', (data: Buffer) => observer.received(data));
    }
    for (const [from, to] of [
      [this.#client, this.#server],
      [this.#server, this.#client],
    ] as const) {
      from.on('data', (data) => this.#pass(delay(), () => to.write(data)));
      from.on('end', () => this.#pass(delay(), () => to.end()));
      from.on('error', () => this.#pass(0, () => reset(to)));
      from.on('close', () => this.#pass(delay(), () => to.end()));
    }
  }

  lose(): void {
    this.#isLost = true;
  }

  reset(): void {
    reset(this.#client);
    reset(this.#server);
  }

  #pass(delay: number, act: () => void): void {
    if (this.#isLost) return;
    if (delay === 0) act();
    else setTimeout(() => !this.#isLost && act(), delay);
  }
}
