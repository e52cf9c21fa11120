import type { Socket } from 'node:net';

/**
 * Resets a connection, as a client does that crashed. A connection that is being ended is closed instead: asked for both in one
 * turn, Node never releases the socket and the process never exits.
 */
export const reset = (socket: Socket): void => {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
};
