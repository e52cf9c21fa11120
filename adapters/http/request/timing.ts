import type { ServerResponse } from 'node:http';

const arrival = Symbol('arrival');

interface Arrived {
  [arrival]?: number;
}

/** Notes that a request is there, however long it then waits for its turn. */
export const markReceived = (response: ServerResponse & Arrived): void => {
  response[arrival] = performance.now();
};

/** When the request arrived that this is to answer, on the scale of `performance.now()`. */
export const receivedAt = (response: ServerResponse & Arrived): number =>
  response[arrival] ?? performance.now();
