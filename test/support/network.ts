import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { portOf } from '../bootstrap/support/ports.ts';
import { reset } from './reset.ts';

/** What becomes of what is sent: it arrives, it disappears without a word, or nobody can connect at all. */
type Manner = 'pass' | 'swallow' | 'refuse';

/** A network between a client and a server, which does what networks do. It stands for a load balancer as well. */
export class Network {
  readonly #server: Server;
  readonly #port: number;
  readonly #ways = new Set<Way>();
  #target: number;
  #manner: Manner = 'pass';
  #delay = 0;
  #sent = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#port = portOf(server);
    this.#target = target;
    server.on('connection', (socket) => this.#open(socket));
  }

  /** @param url of the server behind it */
  static async to(url: string): Promise<Network> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Network(server, Number(new URL(url).port));
  }

  /** What leads to the same place through it. */
  through(url: string): string {
    const address = new URL(url);
    address.host = `127.0.0.1:${this.#port}`;
    return address.href;
  }

  /** How many connections there are. */
  get size(): number {
    return this.#ways.size;
  }

  /** How often a client has sent something. */
  get sent(): number {
    return this.#sent;
  }

  /** From now on new connections lead elsewhere; those there were are reset. */
  pointTo(url: string): void {
    this.#target = Number(new URL(url).port);
    this.reset();
  }

  /**
   * Whatever is sent disappears, and the connections that there are never come back: a firewall has forgotten them. New
   * ones are taken and never answered.
   */
  swallow(): void {
    this.#manner = 'swallow';
    for (const way of this.#ways) way.lose();
  }

  /** What is there is reset, and nobody can connect. */
  async refuse(): Promise<void> {
    this.#manner = 'refuse';
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.reset();
    await closed;
  }

  /** Everything arrives from now on, on new connections at least. */
  async pass(delay = 0): Promise<void> {
    const wasRefusing = this.#manner === 'refuse';
    this.#manner = 'pass';
    this.#delay = delay;
    if (!wasRefusing) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Ends every connection at once. */
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
    const way = new Way(socket, this.#target, () => this.#delay);
    this.#ways.add(way);
    socket.on('data', () => {
      this.#sent += 1;
    });
    socket.once('close', () => this.#ways.delete(way));
    if (this.#manner === 'swallow') way.lose();
  }
}

/** A connection through it: two of its own. */
class Way {
  readonly #client: Socket;
  readonly #server: Socket;
  #isLost = false;

  constructor(client: Socket, port: number, delay: () => number) {
    this.#client = client;
    this.#server = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
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
