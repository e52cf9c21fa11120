import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Crowd } from '#adapters/support/swap-remove-set.ts';
import { isHttp2Response } from './http2.ts';
import { onFinished } from './on-finished.ts';

/** The answers that are being made, or are on their way. */
export class InFlightResponses {
  readonly #responses = new Crowd<ServerResponse>();
  readonly #over: (response: ServerResponse) => void;

  /** @param over told of each that is not any more */
  constructor(over: (response: ServerResponse) => void) {
    this.#over = over;
  }

  get responses(): readonly ServerResponse[] {
    return this.#responses.all;
  }

  add(response: ServerResponse): void {
    const member = this.#responses.add(response);
    onFinished(response, () => {
      this.#responses.remove(member);
      this.#over(response);
    });
  }

  /** From now on, connections end with their answers. */
  closeAfterResponse(): void {
    for (const response of this.responses) {
      if (!response.headersSent && !isHttp2Response(response)) response.setHeader('Connection', 'close');
    }
  }

  /** The connections that are not idle. Those of HTTP/2 know by themselves. */
  get busySockets(): Set<Socket> {
    const busy = new Set<Socket>();
    for (const response of this.responses) if (!isHttp2Response(response)) busy.add(response.req.socket);
    return busy;
  }
}
