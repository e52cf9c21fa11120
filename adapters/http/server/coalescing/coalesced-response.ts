import type { IncomingMessage } from 'node:http';
import { ServerResponse } from '../node-http.ts';
import { whenOver } from '../on-finished.ts';
import { leaveTogether } from './write-coalescing.ts';

export const teller = Symbol('teller');
const words = Symbol('words');

const said: readonly unknown[] = [];

export interface Followed {
  [teller]?: (() => void) | undefined;
}

/**
 * Tells once an answer has been made, or nobody waits for it any more. That it is read is another matter: over HTTP/2 a
 * client can see to it that no answer is ever handed to the system.
 * @param response of a server that makes `Response` or `MultiplexedResponse`
 */
export const whenMade = (response: ServerResponse & Followed, tell: () => void): void => {
  response[teller] = tell;
  whenOver(response, () => tellOnce(response));
};

export const tellOnce = (response: Followed): void => {
  const tell = response[teller];
  response[teller] = undefined;
  tell?.();
};

/**
 * Knows when it has been made, and leaves with all others of this turn. To give each response an `end` of its own would do,
 * too, but then nothing of a request is free before all of the memory is cleaned.
 */
export class Response<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Followed
{
  [teller]?: (() => void) | undefined;
  [words]?: readonly unknown[] | undefined;

  /** From then on it is made, and its head counts as sent; that it has ended shows when it leaves. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes what the one takes of which it is the end
  override end(...given: readonly any[]): this {
    tellOnce(this);
    if (this[words] === undefined) {
      this[words] = given;
      leaveTogether(this);
    }
    return this;
  }

  /** It forgets them then: whoever remembers the last answer of a connection would keep a body for each. */
  leave(): void {
    const given = this[words] ?? said;
    this[words] = said;
    Reflect.apply(super.end, this, given);
  }
}
