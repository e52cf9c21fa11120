import type { Client } from '../../http/support/client.ts';
import type { Program } from '../../lab/program.ts';
import { startServer } from './server.ts';

/** Several servers that share a database, each in a process of its own. */
export class Fleet {
  readonly #programs: Program[] = [];
  readonly #clients: Client[] = [];

  async start(count: number, environment: Readonly<Record<string, string>>): Promise<void> {
    // The first applies the migrations, so that the others need not wait for each other.
    const first = await startServer(environment);
    const others = Array.from({ length: count - 1 }, () => startServer(environment));
    for (const { program, client } of [first, ...(await Promise.all(others))]) {
      this.#programs.push(program);
      this.#clients.push(client);
    }
  }

  /** A client of one server, as the operator. */
  at(index: number): Client {
    const client = this.#clients[index % this.#clients.length];
    if (client === undefined) throw new Error('No server has been started.');
    return client;
  }

  async end(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill()));
  }

  /** Stops one server, and waits until it has exited. */
  async stop(index: number): Promise<number | null | undefined> {
    const program = this.#programs[index];
    program?.signal('SIGTERM');
    return program?.ended();
  }
}
