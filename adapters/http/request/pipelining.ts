import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { markReceived, onFinished, setWaiting } from './node-response.ts';

const latest = Symbol('latest');
const earlier = Symbol('earlier');
const behind = Symbol('behind');

/** A connection, and how many of its requests have not begun because of those before them. */
type Connection = Duplex & { [latest]?: ServerResponse | undefined; [behind]?: number };

type Response = ServerResponse & { [earlier]?: ServerResponse | undefined };

/** Call this for each request, in the order of their arrival. */
export const setLatestResponse = (connection: Connection, response: Response): void => {
  const before = connection[latest];
  if (before !== undefined && !before.closed) {
    response[earlier] = before;
    onFinished(before, () => {
      response[earlier] = undefined;
    });
  }
  connection[latest] = response;
  // A connection that is idle keeps no response alive.
  const release = (): void => {
    if (connection[latest] === response) connection[latest] = undefined;
  };
  onFinished(response, () => {
    if (response.req.complete) release();
    else response.req.once('end', release);
  });
};

/** The response to the latest request of a connection, until it has been sent and the request has arrived completely. */
export const latestResponse = (connection: Connection): ServerResponse | undefined => connection[latest];

/** The response that must be sent before this one on its connection, while that is in flight. */
export const earlierResponse = (response: Response): ServerResponse | undefined => response[earlier];

/** Behind so many no more is read from a connection, until some have begun: what has been read is in memory. */
const maxBehind = 100;

/** Counts a request that waits for its turn on its connection. It does no work, so it is not in flight. */
const enqueue = (connection: Connection, response: Response): void => {
  setWaiting(response, true);
  connection[behind] = (connection[behind] ?? 0) + 1;
  if (connection[behind] >= maxBehind) setImmediate(pauseWhileFull, connection);
};

/** To be called once Node has parsed what it has read: it resumes the connection after each request. */
const pauseWhileFull = (connection: Connection): void => {
  if ((connection[behind] ?? 0) >= maxBehind) connection.pause();
};

const dequeue = (connection: Connection, response: Response): void => {
  setWaiting(response, false);
  connection[behind] = (connection[behind] ?? 0) - 1;
  if (connection[behind] < maxBehind && connection.isPaused()) connection.resume();
};

/**
 * Handles the pipelined requests of a connection one after the other, each when the response before it has been sent.
 * Any response may close the connection, and nothing behind it may be carried out (RFC 9112, sections 9.3.2 and 9.6).
 * @param onAbandoned called for each request whose client disconnects before its turn
 */
export const inOrder = (handle: RequestListener, onAbandoned: RequestListener): RequestListener => {
  const begin: RequestListener = (request, response) => {
    const { socket } = request;
    // The shutdown may have aborted it.
    if (response.headersSent) return;
    if (!socket.writableEnded && !socket.destroyed) {
      handle(request, response);
      return;
    }
    if (!socket.writableEnded) onAbandoned(request, response);
    // Behind CONNECT, Node closes no response that is still in its queue.
    if (response.socket === null) response.destroy();
  };
  return (request, response: Response) => {
    const before = response[earlier];
    if (before === undefined) return begin(request, response);
    const { socket } = request;
    enqueue(socket, response);
    onFinished(before, () => {
      dequeue(socket, response);
      // Deadlines do not count the time of the requests before it.
      markReceived(response);
      // Behind the other listeners, such as the one that ends the connection for a parser error.
      queueMicrotask(() => begin(request, response));
    });
  };
};
