import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The fault that the proxy injects into a request:
 *
 * - `none`: the response arrives
 * - `not sent`: the request never arrives
 * - `answer lost`: the request is processed, and the response is lost
 * - `answer cut`: half of the response arrives
 * - `silence`: the request is processed, and the connection hangs
 * - `bad gateway`, `nowhere`, `portal`: another server responds with 502, 404 and 200
 */
export type Fault = 'none' | 'not sent' | 'answer lost' | 'answer cut' | 'silence' | keyof typeof words;

const words = { 'bad gateway': 502, nowhere: 404, portal: 200 };

/** A request that passed the proxy. */
interface Seen {
  readonly target: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** A proxy between client and service that injects faults. */
export class FaultyWire {
  readonly #server: Server;
  readonly #upstream: () => string;
  readonly #onSilence: (response: ServerResponse) => void;
  #faults: Fault[] = [];
  /** The requests that passed. */
  readonly seen: Seen[] = [];

  /** @param onSilence called with each response that will never come */
  constructor(upstream: () => string, onSilence: (response: ServerResponse) => void) {
    this.#upstream = upstream;
    this.#onSilence = onSilence;
    this.#server = createServer((incoming, outgoing) => {
      this.#pass(incoming, outgoing, this.#faults.shift() ?? 'none').catch(() => outgoing.destroy());
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Injects these faults into the next requests, in order, and clears the list of passed requests. */
  expect(...faults: readonly Fault[]): void {
    this.#faults = [...faults];
    this.seen.length = 0;
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const key = incoming.headers['idempotency-key'];
    this.seen.push({
      target: `${incoming.method} ${incoming.url}`,
      key: Array.isArray(key) ? key.join() : key,
      body: body.toString(),
    });
    if (fault === 'not sent') {
      outgoing.destroy();
      return;
    }
    if (fault === 'bad gateway' || fault === 'nowhere' || fault === 'portal') {
      outgoing.writeHead(words[fault], { 'Content-Type': 'text/html' }).end(`<h1>${fault}</h1>`);
      return;
    }
    const answer = await this.#forward(incoming, body);
    const text = Buffer.concat(await answer.toArray());
    if (fault === 'silence') {
      this.#onSilence(outgoing);
      return;
    }
    if (fault === 'answer lost') {
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    if (fault === 'none') outgoing.end(text);
    else outgoing.write(text.subarray(0, text.length / 2), () => outgoing.destroy());
  }

  #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { 'content-length': _length, ...rest } = headers;
      const forwarded = request(`${this.#upstream()}${url}`, {
        ...(method !== undefined && { method }),
        headers: body.length === 0 ? rest : { ...rest, 'content-length': body.length },
        agent: false,
      });
      forwarded.on('response', resolve).on('error', reject).end(body);
    });
  }
}
