import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onFinished } from './node-response.ts';
import { latestResponse } from './pipelining.ts';

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

  /** Makes each connection close after its last response in flight. An earlier close would lose those behind it. */
  closeAfterLastResponse(): void {
    for (const response of this.responses) {
      if (!response.headersSent && latestResponse(response.req.socket) === response)
        response.setHeader('Connection', 'close');
    }
  }

  /** The connections with a request in flight. */
  get busySockets(): Set<Socket> {
    return new Set(this.responses.map(({ req }) => req.socket));
  }
}

/** A value in a `SwapRemoveSet`, and the handle to remove it by. */
export interface SwapRemoveEntry<T> {
  readonly value: T;
  /** Its index in the set; -1 once it has been removed. */
  index: number;
}

/**
 * A set with O(1) removal: the last entry moves to the place of the removed one. A `Set` rehashes as entries come and go, and its
 * old tables keep removed values alive until the next full garbage collection.
 */
export class SwapRemoveSet<T> {
  readonly #entries: SwapRemoveEntry<T>[] = [];

  add(value: T): SwapRemoveEntry<T> {
    const entry = { value, index: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** Has no effect on an entry that was removed before. */
  remove(entry: SwapRemoveEntry<T>): void {
    if (entry.index < 0) return;
    const last = this.#entries.pop();
    if (last !== undefined && last !== entry) {
      this.#entries[entry.index] = last;
      last.index = entry.index;
    }
    entry.index = -1;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** A copy, so that values may be removed while it is iterated. */
  get values(): readonly T[] {
    return this.#entries.map(({ value }) => value);
  }
}
