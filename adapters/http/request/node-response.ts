import type { ServerResponse } from 'node:http';
import type { UnavailableReason } from '#application/errors.ts';

const finishedListeners = Symbol('finishedListeners');
const respondedListener = Symbol('respondedListener');
const received = Symbol('received');
const reason = Symbol('reason');
const continues = Symbol('continues');
const waiting = Symbol('waiting');
const waitingListener = Symbol('waitingListener');

/** What is kept with a response of Node, because both the server and the application need it. */
type Response = ServerResponse & {
  [finishedListeners]?: (() => void)[];
  [respondedListener]?: (() => void) | undefined;
  [received]?: number;
  [reason]?: UnavailableReason;
  [continues]?: boolean;
  [waiting]?: boolean;
  [waitingListener]?: (isWaiting: boolean) => void;
};

/**
 * Calls the listener once a response has been sent, or its connection has closed, as the npm package `on-finished`
 * does. All listeners share one `close` handler of the response.
 */
export const onFinished = (response: Response, listener: () => void): void => {
  listenersOf(response).push(listener);
};

/**
 * Calls the listener once the application has responded, or the connection has closed before. It does not wait until the
 * response is sent: a slow reader would hold its place.
 */
export const onResponded = (response: Response, listener: () => void): void => {
  listenersOf(response);
  response[respondedListener] = listener;
};

const listenersOf = (response: Response): (() => void)[] => {
  let listeners = response[finishedListeners];
  if (listeners === undefined) {
    listeners = [];
    response[finishedListeners] = listeners;
    response.on('close', notifyFinished);
  }
  return listeners;
};

/** One function for all responses: a closure for each would cost more. */
function notifyFinished(this: Response): void {
  notifyResponded(this);
  for (const listener of listenersOf(this)) listener();
}

/** Call this when the application has responded. */
export const notifyResponded = (response: Response): void => {
  setWaiting(response, false);
  const listener = response[respondedListener];
  response[respondedListener] = undefined;
  listener?.();
};

/** Records that the headers of a request have arrived. Deadlines count from here, so queueing time is included. */
export const markReceived = (response: Response): void => {
  response[received] = performance.now();
};

/** When the request of a response arrived, on the scale of `performance.now()`; now if that was not recorded. */
export const receivedAt = (response: Response): number => response[received] ?? performance.now();

/** Records why a response is 503. It is kept with the response, because a shutdown knows no context. */
export const setUnavailableReason = (response: Response, why: UnavailableReason): void => {
  response[reason] = why;
};

export const unavailableReasonOf = (response: Response): UnavailableReason | undefined => response[reason];

/** Records that the client waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1). */
export const expectContinue = (response: Response): void => {
  response[continues] = true;
};

/** Asks the client for the body if it waits for that. */
export const sendContinue = (response: Response): void => {
  if (response[continues] !== true) return;
  response[continues] = false;
  response.writeContinue();
};

/** Calls the listener whenever the request begins to wait, and when it no longer does. */
export const onWaiting = (response: Response, listener: (isWaiting: boolean) => void): void => {
  response[waitingListener] = listener;
};

/** Records whether the request only waits for a change. A request that waits does no work and is not in flight. */
export const setWaiting = (response: Response, isWaiting: boolean): void => {
  if ((response[waiting] ?? false) === isWaiting) return;
  response[waiting] = isWaiting;
  response[waitingListener]?.(isWaiting);
};
