import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Bounds how long a client may take to close a connection after the server has ended it. */
const lingerTimeoutMs = 1_000;

/**
 * Tracks which connections are idle, busy, or in the middle of a request, by the bytes that each has received. Destroying
 * connections covers unfinished TLS handshakes too.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();
  /** Connections whose TLS handshake, if any, has ended, and how many bytes each had received when its last request ended. */
  readonly #readAtLastRequest = new Map<Socket, number>();
  /** The connections that were idle at the last `closeIdle`, and how many bytes each had received. */
  #idle = new Map<Socket, number>();

  constructor(server: Server, isSecure: boolean) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#readAtLastRequest.set(socket, socket.bytesRead);
      socket.once('close', () => this.#readAtLastRequest.delete(socket));
    });
  }

  /** Call this when a request has been responded to. Its connection is idle once the rest of its body has arrived. */
  requestFinished(request: IncomingMessage): void {
    const markIdle = ({ socket } = request): void => {
      if (this.#readAtLastRequest.has(socket)) this.#readAtLastRequest.set(socket, socket.bytesRead);
    };
    if (request.complete) markIdle();
    else request.once('end', () => markIdle());
  }

  /**
   * Ends connections that were idle at the last call and still are: a request on its way then has arrived by now (keep-alive
   * race). Input on an ended connection is read and dropped, because a reset could destroy the last response.
   */
  closeIdle(busy: ReadonlySet<Socket>): void {
    const idle = new Map<Socket, number>();
    for (const [socket, readAtLastRequest] of this.#readAtLastRequest) {
      const { bytesRead } = socket;
      if (busy.has(socket) || socket.writableEnded || bytesRead !== readAtLastRequest) continue;
      if (this.#idle.get(socket) === bytesRead) {
        socket.end();
        destroyAfterLinger(socket);
      } else idle.set(socket, bytesRead);
    }
    this.#idle = idle;
  }

  /** The connections on which the headers of a request have arrived in part. */
  partialRequests(busy: ReadonlySet<Socket>): readonly Socket[] {
    return [...this.#readAtLastRequest.entries()].flatMap(([socket, readAtLastRequest]) =>
      busy.has(socket) || socket.writableEnded || socket.bytesRead === readAtLastRequest ? [] : [socket],
    );
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Destroys an ended connection whose client does not close it in time (lingering close). */
export const destroyAfterLinger = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), lingerTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
};

/**
 * Closes a connection after its keep-alive timeout unless it has unread input (keep-alive race). After the event loop has been
 * blocked, a request may wait unread in the socket, and Node's own handler would reset it.
 */
export const closeIdleUnlessUnread = (server: Server): void => {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    // Before immediates run, the event loop polls, and reads input that has arrived.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
};
