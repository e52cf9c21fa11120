import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a request on its way:
 *
 * - `none`: it is answered
 * - `not sent`: it never arrives
 * - `answer lost`: it is carried out, and nothing of the answer comes back
 * - `answer cut`: half of the answer comes back
 * - `silence`: it is carried out, and nothing happens any more
 * - `bad gateway`, `nowhere`, `portal`: somebody else answers in their own words, with 502, 404 and 200
 */
export type Fault = 'none' | 'not sent' | 'answer lost' | 'answer cut' | 'silence' | keyof typeof words;

const words = { 'bad gateway': 502, nowhere: 404, portal: 200 };

/** A request as it came by. */
interface Seen {
  readonly target: string;
  readonly key: string | undefined;
  readonly body: string;
}

/** Stands between a client and a service, and does to each request what it is told to. */
export class FaultyWire {
  readonly #server: Server;
  readonly #upstream: () => string;
  #faults: Fault[] = [];
  /** Everything that came by. */
  readonly seen: Seen[] = [];

  constructor(upstream: () => string) {
    this.#upstream = upstream;
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

  /** These happen to the next requests, in this order; what was seen before is forgotten. */
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
    if (fault === 'silence') return;
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
