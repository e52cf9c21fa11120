import type { ServerResponse } from 'node:http';
import { whenOver } from '../when-over.ts';

/**
 * Tells once an answer has been made, or nobody waits for it any more. That it is read is another matter: over HTTP/2 a
 * client can see to it that no answer is ever handed to the system.
 */
export const whenMade = (response: ServerResponse, tell: () => void): void => {
  const { end } = response;
  let isTold = false;
  const tellOnce = (): void => {
    if (isTold) return;
    isTold = true;
    tell();
  };
  response.end = (...given: readonly unknown[]) => {
    tellOnce();
    return Reflect.apply(end, response, given);
  };
  whenOver(response, tellOnce);
};
