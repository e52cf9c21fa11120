import { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { withTimeout } from '#adapters/support/timeout.ts';
import { internalsOf } from './driver-internals.ts';

/** How long open connections may take to close, in milliseconds. */
const closeTimeoutMs = 1_000;

/** The sockets of a pool's connections, which close in bounded time even where the server does not respond. */
export class PoolSockets {
  readonly #open = new Set<Socket>();

  create(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }

  /** Closes all sockets, by force after the timeout, and waits once more as long at most. @param end ends the pool */
  async close(end: () => Promise<void>): Promise<void> {
    const ended = end();
    const allClosed = ended.then(() => Promise.all([...this.#open].map(closed)));
    await withTimeout(closeTimeoutMs, allClosed, undefined);
    for (const socket of this.#open) socket.destroy();
    // The pool never ends while work that never ends holds a connection.
    await withTimeout(closeTimeoutMs, ended, undefined);
  }
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

/** Pools whose idle connections are being evicted. Many callers notice a failover at once; one eviction is enough. */
const evicting = new WeakSet<Pool>();

/**
 * Closes the idle connections of a pool. Where one connection fell silent or leads to a demoted primary, the others are
 * suspect too; requests that wait for a connection already keep their place.
 */
export const evictIdle = (pool: Pool): void => {
  if (evicting.has(pool)) return;
  evicting.add(pool);
  let hasEnded = false;
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect((_, client: PoolClient | undefined, release) => {
      // Another request acquired the last idle connection first, and no other was free in time.
      if (client === undefined) return;
      if (!hasEnded) internalsOf(client).connection.stream.destroy();
      release(!hasEnded);
    });
  }
  // The pool hands idle connections out before this turn ends. A later one is new, or was in use meanwhile.
  setImmediate(() => {
    hasEnded = true;
    evicting.delete(pool);
  });
};
