import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections on which nothing has come for long enough, as Node does by itself, but for those on which something has
 * come after all: where the event loop was held up, a request may lie there unread, and whoever closes then resets it.
 */
export const closeIdleUnlessUnread = (server: Server): void => {
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    // By then, whatever has come has been read.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
};
