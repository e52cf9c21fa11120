import { type IncomingMessage, ServerResponse } from 'node:http';
import { onFinished } from '../on-finished.ts';
import { flushAtEndOfTurn } from './write-coalescing.ts';

export const endListener = Symbol('teller');
const pendingEnd = Symbol('words');

const flushed: readonly unknown[] = [];

export interface HasEndListener {
  [endListener]?: (() => void) | undefined;
}

/**
 * Tells once an answer has been made, or nobody waits for it any more. That it is read is another matter: over HTTP/2 a
 * client can see to it that no answer is ever handed to the system.
 * @param response of a server that makes `Response` or `MultiplexedResponse`
 */
export const onEnd = (response: ServerResponse & HasEndListener, tell: () => void): void => {
  response[endListener] = tell;
  onFinished(response, () => notifyEnded(response));
};

export const notifyEnded = (response: HasEndListener): void => {
  const tell = response[endListener];
  response[endListener] = undefined;
  tell?.();
};

/**
 * Knows when it has been made, and leaves with all others of this turn. To give each response an `end` of its own would do,
 * too, but then nothing of a request is free before all of the memory is cleaned.
 */
export class CoalescedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements HasEndListener
{
  [endListener]?: (() => void) | undefined;
  [pendingEnd]?: readonly unknown[] | undefined;

  /** From then on it is made, and its head counts as sent; that it has ended shows when it leaves. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes what the one takes of which it is the end
  override end(...given: readonly any[]): this {
    notifyEnded(this);
    if (this[pendingEnd] === undefined) {
      this[pendingEnd] = given;
      flushAtEndOfTurn(this);
    }
    return this;
  }

  /** It forgets them then: whoever remembers the last answer of a connection would keep a body for each. */
  flush(): void {
    const given = this[pendingEnd] ?? flushed;
    this[pendingEnd] = flushed;
    Reflect.apply(super.end, this, given);
  }
}
