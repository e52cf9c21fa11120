import { type IncomingMessage, ServerResponse } from 'node:http';
import { onFinished } from '../on-finished.ts';
import { flushAtEndOfTurn } from './write-coalescing.ts';

export const endListener = Symbol('endListener');
const pendingEnd = Symbol('pendingEnd');

const flushed: readonly unknown[] = [];

export interface HasEndListener {
  [endListener]?: (() => void) | undefined;
}

/**
 * Calls the listener once the application has ended a response, or the connection has closed before. It does not wait until
 * the response is sent: over HTTP/2 a client can withhold flow-control credit for ever.
 * @param response of a server that `createHttpServer` has made
 */
export const onEnd = (response: ServerResponse & HasEndListener, listener: () => void): void => {
  response[endListener] = listener;
  onFinished(response, () => notifyEnded(response));
};

export const notifyEnded = (response: HasEndListener): void => {
  const listener = response[endListener];
  response[endListener] = undefined;
  listener?.();
};

/**
 * A response whose `end` is delayed to the end of the turn (write coalescing). A subclass rather than an `end` per instance:
 * a closure on each response would keep its request alive until the next full garbage collection.
 */
export class CoalescedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements HasEndListener
{
  [endListener]?: (() => void) | undefined;
  [pendingEnd]?: readonly unknown[] | undefined;

  /** Ends the response: from now on `headersSent` is true, but `writableEnded` stays false until the flush. */
  // biome-ignore lint/suspicious/noExplicitAny: it passes on the arguments of an overloaded method
  override end(...args: readonly any[]): this {
    notifyEnded(this);
    if (this[pendingEnd] === undefined) {
      this[pendingEnd] = args;
      flushAtEndOfTurn(this);
    }
    return this;
  }

  /** Writes the response, and drops the body: a kept-alive connection refers to its last response. */
  flush(): void {
    const args = this[pendingEnd] ?? flushed;
    this[pendingEnd] = flushed;
    Reflect.apply(super.end, this, args);
  }
}
