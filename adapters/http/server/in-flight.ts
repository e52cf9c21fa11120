import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SwapRemoveSet } from '#adapters/support/swap-remove-set.ts';
import { isHttp2Response, onFinished } from './node-response.ts';

/** The in-flight requests, each by its response, until the response has been sent or its connection has closed. */
export class InFlightResponses {
  readonly #responses = new SwapRemoveSet<ServerResponse>();
  readonly #onFinished: (response: ServerResponse) => void;

  /** @param finished called for each response that is no longer in flight */
  constructor(finished: (response: ServerResponse) => void) {
    this.#onFinished = finished;
  }

  get responses(): readonly ServerResponse[] {
    return this.#responses.values;
  }

  add(response: ServerResponse): void {
    const entry = this.#responses.add(response);
    onFinished(response, () => {
      this.#responses.remove(entry);
      this.#onFinished(response);
    });
  }

  /** Makes each HTTP/1 connection close after the response that is in flight on it. */
  closeAfterResponse(): void {
    for (const response of this.responses) {
      if (!response.headersSent && !isHttp2Response(response)) response.setHeader('Connection', 'close');
    }
  }

  /** The HTTP/1 connections with a request in flight. HTTP/2 sessions track their own streams. */
  get busySockets(): Set<Socket> {
    const busy = new Set<Socket>();
    for (const response of this.responses) if (!isHttp2Response(response)) busy.add(response.req.socket);
    return busy;
  }
}
