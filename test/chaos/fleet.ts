import type { Random } from '#test/support/random.ts';
import type { Server } from './server.ts';

/** The servers that share a database: two, or a single one. */
export class Fleet {
  readonly servers: readonly [Server, ...Server[]];
  #upMs = 0;
  #sampledAt = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(servers: readonly [Server, ...Server[]]) {
    this.servers = servers;
    this.#timer = setInterval(() => this.#sample(), 20);
  }

  /** How long at least one of them has been up, in milliseconds. Keys need not progress while none is. */
  get upMs(): number {
    return this.#upMs;
  }

  /** A server that is up, most of the time: a client sometimes calls one that is down. */
  any(random: Random): Server {
    const picked = random.pick(this.servers);
    return picked.isReady || random.chance(0.1) ? picked : this.other(picked);
  }

  /** Milliseconds since one of them was started; undefined while one of them does not serve yet. */
  get sinceStart(): number | undefined {
    const { servers } = this;
    return servers.every(({ isReady }) => isReady) ? Math.min(...servers.map(({ age }) => age)) : undefined;
  }

  /** A single server is its own other. */
  other(server: Server): Server {
    return this.servers.find((each) => each !== server) ?? server;
  }

  async ready(): Promise<void> {
    await Promise.all(this.servers.map(({ ready }) => ready));
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.servers.map((server) => server.kill()));
  }

  #sample(): void {
    const now = performance.now();
    if (this.servers.some(({ isReady }) => isReady)) this.#upMs += now - this.#sampledAt;
    this.#sampledAt = now;
  }
}
