import type { ServerResponse } from 'node:http';

const listeners = Symbol('listeners');

interface HasListeners {
  [listeners]?: (() => void)[];
}

/**
 * Calls the listener once a response has been sent, or its connection or stream has closed, as the npm package `on-finished`
 * does. All listeners share one `close` handler of the response.
 */
export const onFinished = (response: ServerResponse & HasListeners, listener: () => void): void => {
  const existing = response[listeners];
  if (existing !== undefined) {
    existing.push(listener);
    return;
  }
  const all = [listener];
  response[listeners] = all;
  response.on('close', () => {
    for (const each of all) each();
  });
};
