import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** How long a client whose connection has been ended may take to end it too, in milliseconds. */
const farewell = 1_000;

/** The connections of a server, whatever is spoken on them. */
export class Http1Connections {
  readonly #all = new Set<Socket>();
  /** Those on which one request follows the other, and how much had been read of each with its last one. */
  readonly #singleFile = new Map<Socket, number>();
  /** How much had been read of those that were idle at the last look. */
  #idle = new Map<Socket, number>();

  constructor(server: Server, isSecure: boolean) {
    server.on('connection', (socket: Socket) => {
      this.#all.add(socket);
      socket.once('close', () => this.#all.delete(socket));
    });
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket | TLSSocket) => {
      if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') return;
      this.#singleFile.set(socket, socket.bytesRead);
      socket.once('close', () => this.#singleFile.delete(socket));
    });
  }

  /** A request has been answered. What is left of its body may still come. */
  requestFinished(request: IncomingMessage): void {
    const note = ({ socket } = request): void => {
      if (this.#singleFile.has(socket)) this.#singleFile.set(socket, socket.bytesRead);
    };
    if (request.complete) note();
    else request.once('end', () => note());
  }

  /**
   * Ends connections on which nothing was going on at the last look, nor is now: a request that was on its way to one
   * has arrived meanwhile. What still comes on one that has been ended is read and forgotten, for a reset would say
   * nothing at all.
   */
  closeIdle(busy: ReadonlySet<Socket>): void {
    const idle = new Map<Socket, number>();
    for (const [socket, readBefore] of this.#singleFile) {
      const { bytesRead } = socket;
      if (busy.has(socket) || socket.writableEnded || bytesRead !== readBefore) continue;
      if (this.#idle.get(socket) === bytesRead) end(socket);
      else idle.set(socket, bytesRead);
    }
    this.#idle = idle;
  }

  /** Those on which a request has begun to arrive, and not come as far as the end of its headers. */
  partialRequests(busy: ReadonlySet<Socket>): readonly Socket[] {
    return [...this.#singleFile.entries()].flatMap(([socket, readBefore]) =>
      busy.has(socket) || socket.writableEnded || socket.bytesRead === readBefore ? [] : [socket],
    );
  }

  destroyAll(): void {
    for (const socket of this.#all) socket.destroy();
  }
}

const end = (socket: Socket): void => {
  socket.end();
  const cutOff = setTimeout(() => socket.destroy(), farewell);
  socket.once('close', () => clearTimeout(cutOff));
};
