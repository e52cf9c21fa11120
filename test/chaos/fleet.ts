import type { Random } from '#test/support/random.ts';
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

  /** One that serves, most of the time: a client sometimes calls one that is down. */
  any(random: Random): Server {
    const picked = random.pick(this.servers);
    return picked.isReady || random.chance(0.1) ? picked : this.other(picked);
  }

  /** Milliseconds since one of them was started; undefined while one of them does not serve yet. */
  get sinceStart(): number | undefined {
    const { servers } = this;
    return servers.every(({ isReady }) => isReady) ? Math.min(...servers.map(({ age }) => age)) : undefined;
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
