import { Socket } from 'node:net';
import { withTimeout } from '#adapters/support/timeout.ts';

/** How long what is under way may take when all is closed, in milliseconds. */
const parting = 1_000;

/** What the connections of a pool go over. */
export class Sockets {
  readonly #open = new Set<Socket>();

  make(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }

  /** @param end ends the pool. What it waits for in vain is cut off. */
  async close(end: () => Promise<void>): Promise<void> {
    const ended = end();
    const gone = ended.then(() => Promise.all([...this.#open].map(closing)));
    await withTimeout(parting, gone, undefined);
    for (const socket of this.#open) socket.destroy();
    await ended;
  }
}

const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
