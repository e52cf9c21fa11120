import type { Pool, PoolClient } from 'pg';
import { internalsOf } from './driver-internals.ts';

/** The bytes that went over a connection in both directions, and since when their number has not changed. */
interface Activity {
  readonly bytes: number;
  readonly since: number;
}

/** The interval between two checks: at most so many milliseconds, and at most this fraction of the timeout. */
const checkInterval = { maxMs: 250, divisor: 10 };

/**
 * Closes connections whose server owes a response and has sent nothing for too long, not even a timeout error. One timer
 * checks all connections; the driver's `query_timeout` sets a timer for each statement and keeps the statement in memory.
 */
export class DeadConnectionWatchdog {
  readonly #clients = new Set<PoolClient>();
  readonly #activity = new WeakMap<PoolClient, Activity>();
  readonly #timeout: number;
  readonly #timer: NodeJS.Timeout;

  /** @param timeout how long a connection may be silent while a response is due, in milliseconds */
  constructor(pool: Pool, timeout: number) {
    this.#timeout = timeout;
    pool.on('connect', (client) => this.#clients.add(client));
    pool.on('remove', (client) => this.#clients.delete(client));
    const interval = Math.min(checkInterval.maxMs, timeout / checkInterval.divisor);
    this.#timer = setInterval(() => this.#check(), interval).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    for (const client of this.#clients) {
      const { connection, readyForQuery } = internalsOf(client);
      const { stream } = connection;
      const bytes = stream.bytesRead + stream.bytesWritten;
      const before = this.#activity.get(client);
      if (readyForQuery || before === undefined || before.bytes !== bytes) {
        this.#activity.set(client, { bytes, since: now });
      } else if (now - before.since >= this.#timeout) {
        // The message of the driver's own `query_timeout`, which `errors.ts` knows.
        stream.destroy(new Error('Query read timeout'));
      }
    }
  }
}
