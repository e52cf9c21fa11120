import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conditions } from '../trial.ts';

const sequenceOf = /"sequence":(\d+)/;

/** A receiver that accepts everything, and knows which events have come. It keeps a byte for each, so that it can run for hours. */
export class Receiver {
  readonly url: string;
  #times = new Uint8Array(1 << 16);
  #events = 0;
  #repetitions = 0;

  private constructor(url: string) {
    this.url = url;
  }

  static async start({ cleanUp }: Pick<Conditions, 'cleanUp'>): Promise<Receiver> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        receiver.#note(Number(sequenceOf.exec(body)?.[1] ?? 0));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUp.defer(() => server.closeAllConnections());
    cleanUp.defer(() => void server.close());
    const receiver = new Receiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return receiver;
  }

  /** How many different events have come. */
  get events(): number {
    return this.#events;
  }

  /** How many requests repeated one of them. */
  get repetitions(): number {
    return this.#repetitions;
  }

  #note(sequence: number): void {
    if (sequence >= this.#times.length) {
      const times = new Uint8Array(2 * sequence);
      times.set(this.#times);
      this.#times = times;
    }
    if (this.#times[sequence] === 0) {
      this.#times[sequence] = 1;
      this.#events += 1;
    } else this.#repetitions += 1;
  }
}
