import type { Socket } from 'node:net';
import type { Client, Pool, PoolClient } from 'pg';

/** What went over a connection, in bytes, and since when nothing more has. */
interface Heard {
  readonly bytes: number;
  readonly since: number;
}

/** How often is listened, in milliseconds, and in which part of the time that a silence may last. */
const pause = { most: 250, part: 10 };

/** The driver's, whose types tell less. */
type Connected = PoolClient & Client & { readonly readyForQuery?: boolean };

/**
 * Ends connections that owe an answer and have said nothing for too long: not even that it took too long. The driver would
 * set a timer for each statement, which costs a third of what a statement costs, and keeps all of it in memory for a while.
 */
export class Silence {
  readonly #clients = new Set<Connected>();
  readonly #heard = new WeakMap<Connected, Heard>();
  readonly #longest: number;
  readonly #rounds: NodeJS.Timeout;

  /** @param longest how long a silence may last, in milliseconds */
  constructor(pool: Pool, longest: number) {
    this.#longest = longest;
    pool.on('connect', (client) => this.#clients.add(client as Connected));
    pool.on('remove', (client) => this.#clients.delete(client as Connected));
    this.#rounds = setInterval(() => this.#listen(), Math.min(pause.most, longest / pause.part)).unref();
  }

  end(): void {
    clearInterval(this.#rounds);
  }

  #listen(): void {
    const now = performance.now();
    for (const client of this.#clients) {
      const stream = client.connection.stream as Socket;
      const bytes = stream.bytesRead + stream.bytesWritten;
      const before = this.#heard.get(client);
      if (client.readyForQuery === true || before === undefined || before.bytes !== bytes) {
        this.#heard.set(client, { bytes, since: now });
      } else if (now - before.since >= this.#longest) {
        // In the words of the driver's own timer.
        stream.destroy(new Error('Query read timeout'));
      }
    }
  }
}
