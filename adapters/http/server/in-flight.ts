import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Crowd } from '#adapters/support/swap-remove-set.ts';
import { isMultiplexed } from './http2.ts';
import { whenOver } from './on-finished.ts';

/** The answers that are being made, or are on their way. */
export class UnderWay {
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
    whenOver(response, () => {
      this.#responses.remove(member);
      this.#over(response);
    });
  }

  /** From now on, connections end with their answers. */
  announceTheEnd(): void {
    for (const response of this.responses) {
      if (!response.headersSent && !isMultiplexed(response)) response.setHeader('Connection', 'close');
    }
  }

  /** The connections that are not idle. Those of HTTP/2 know by themselves. */
  get sockets(): Set<Socket> {
    const busy = new Set<Socket>();
    for (const response of this.responses) if (!isMultiplexed(response)) busy.add(response.req.socket);
    return busy;
  }
}
