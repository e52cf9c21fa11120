import { Socket } from 'node:net';
import { withTimeout } from '#adapters/support/timeout.ts';

/** How long open connections may take to close, in milliseconds. */
const closeTimeoutMs = 1_000;

/** The sockets of a pool's connections, which close in bounded time even where the server does not respond. */
export class Sockets {
  readonly #open = new Set<Socket>();

  create(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }

  /** Closes all sockets, by force after the timeout. @param end ends the pool */
  async close(end: () => Promise<void>): Promise<void> {
    const ended = end();
    const allClosed = ended.then(() => Promise.all([...this.#open].map(closed)));
    await withTimeout(closeTimeoutMs, allClosed, undefined);
    for (const socket of this.#open) socket.destroy();
    await ended;
  }
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
