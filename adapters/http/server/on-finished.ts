import type { ServerResponse } from 'node:http';

const listeners = Symbol('listeners');
const respondedListener = Symbol('respondedListener');

interface HasListeners {
  [listeners]?: (() => void)[];
  [respondedListener]?: (() => void) | undefined;
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

/**
 * Calls the listener once the application has responded, or the connection has closed before. It does not wait until the
 * response is sent: over HTTP/2 a client can withhold flow-control credit for ever.
 */
export const onResponded = (response: ServerResponse & HasListeners, listener: () => void): void => {
  response[respondedListener] = listener;
  onFinished(response, () => notifyResponded(response));
};

/** Call this when the application has responded. */
export const notifyResponded = (response: ServerResponse & HasListeners): void => {
  const listener = response[respondedListener];
  response[respondedListener] = undefined;
  listener?.();
};
