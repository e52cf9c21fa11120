import type { Socket } from 'node:net';

/**
 * Breaks a connection off, as somebody does who is gone. One that is just being ended is closed instead: asked for both in
 * one turn Node never lets go of the socket, and the process never ends.
 */
export const reset = (socket: Socket): void => {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
};
