import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isHttp2Response, markReceived, onFinished } from './node-response.ts';

const latest = Symbol('latest');
const earlier = Symbol('earlier');

/** An HTTP/1 connection. */
type Connection = Duplex & { [latest]?: ServerResponse | undefined };

type Response = ServerResponse & { [earlier]?: ServerResponse | undefined };

/** Call this for each HTTP/1 request, in the order of their arrival. */
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

/** The response to the latest request of an HTTP/1 connection, until it has been sent and the request has arrived completely. */
export const latestResponse = (connection: Connection): ServerResponse | undefined => connection[latest];

/** The response that must be sent before this one on its connection, while that is in flight. */
export const earlierResponse = (response: Response): ServerResponse | undefined => response[earlier];

/**
 * Handles the pipelined requests of an HTTP/1 connection one after the other, each when the response before it has been sent.
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
    if (isHttp2Response(response)) return handle(request, response);
    const before = response[earlier];
    if (before === undefined) return begin(request, response);
    onFinished(before, () => {
      // Deadlines do not count the time of the requests before it.
      markReceived(response);
      // Behind the other listeners, such as the one that ends the connection for a parser error.
      queueMicrotask(() => begin(request, response));
    });
  };
};
