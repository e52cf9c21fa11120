import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receipt } from '../../lab/judge/events/evidence.ts';
import type { Conditions } from '../trial.ts';

const sequenceOf = /"sequence":(\d+)/;

/** Of how many events the receipts are kept, so that it can run for hours. */
export const maxJudged = 100_000;

/** Room for repetitions. */
const maxReceipts = 2 * maxJudged;

/** A receiver that accepts everything, and knows which events have come. It keeps a byte for each, and the first receipts. */
export class Receiver {
  readonly url: string;
  /** The first that came. */
  readonly receipts: Receipt[] = [];
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
        const sequence = Number(sequenceOf.exec(body)?.[1] ?? 0);
        receiver.#note(sequence);
        if (receiver.receipts.length < maxReceipts) {
          const id = String(request.headers['webhook-id']);
          const eventId = JSON.parse(body).id;
          receiver.receipts.push({ id, eventId, sequence, problem: null, status: 204 });
        }
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
