import type { Json } from '../support/client.ts';
import type { Request, Send } from './samples.ts';
import type { Declared } from './table.ts';

/** Finds which fields two resources cannot share, and has other values in them in each request. */
export class UniqueFields {
  readonly #send: Send;
  readonly #request: (operation: Declared) => Promise<Request>;
  /** The fields, by the operation that rejects them. */
  readonly #found = new Map<string, Promise<readonly string[]>>();
  #count = 0;

  /** @param request a request of the operation with the example as its body */
  constructor(send: Send, request: (operation: Declared) => Promise<Request>) {
    this.#send = send;
    this.#request = request;
  }

  /** @returns what gives a request of the operation values that no earlier one has had */
  async variation(operation: Declared): Promise<(request: Request) => Request> {
    const { target, requestBody, route } = operation;
    if (requestBody === undefined || !route.errors.includes('conflict')) return (request) => request;
    const found = this.#found.get(target) ?? this.#find(operation);
    this.#found.set(target, found);
    const fields = await found;
    return (request) => ({ ...request, body: this.#varied(request.body, fields) });
  }

  /** A text that no earlier one equals: an e-mail address stays one. */
  variant(text: unknown): string {
    this.#count += 1;
    return `${this.#count}-${text}`;
  }

  /** Sends the example until it is no duplicate, twice. */
  async #find(operation: Declared): Promise<readonly string[]> {
    const unique = new Set<string>();
    for (let count = 0; count < 2; ) {
      const request = await this.#request(operation);
      const response = await this.#send({ ...request, body: this.#varied(request.body, [...unique]) });
      const details: readonly Json[] = response.body?.error?.details ?? [];
      if (response.status !== 409 || details.length === 0) count += 1;
      for (const { field } of details) unique.add(field);
    }
    return [...unique];
  }

  #varied(body: unknown, fields: readonly string[]): unknown {
    const given = body as Readonly<Record<string, unknown>>;
    return { ...given, ...Object.fromEntries(fields.map((field) => [field, this.variant(given[field])])) };
  }
}
