import type { Random } from './random.ts';
import type { Server } from './server.ts';

/** The two servers that share a database. */
export class Fleet {
  readonly servers: readonly [Server, Server];
  #up = 0;
  #seenAt = performance.now();
  readonly #watch: NodeJS.Timeout;

  constructor(servers: readonly [Server, Server]) {
    this.servers = servers;
    this.#watch = setInterval(() => this.#look(), 20);
  }

  /** For how long one of them at least has been serving, in milliseconds: a key has no duty to move while none does. */
  get up(): number {
    return this.#up;
  }

  any(random: Random): Server {
    return random.pick(this.servers);
  }

  other(server: Server): Server {
    const [one, two] = this.servers;
    return server === one ? two : one;
  }

  async ready(): Promise<void> {
    await Promise.all(this.servers.map(({ ready }) => ready));
  }

  async end(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all(this.servers.map((server) => server.kill()));
  }

  #look(): void {
    const now = performance.now();
    if (this.servers.some(({ isReady }) => isReady)) this.#up += now - this.#seenAt;
    this.#seenAt = now;
  }
}
