import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Random } from '#test/support/random.ts';
import type { Receipt } from '../../lab/judge/events/evidence.ts';

/** How a receiver answers a webhook. */
interface Answer {
  readonly status: number;
  readonly delayMs?: number;
  /** Where its connection ends: before a response, or in the middle of one. */
  readonly closes?: 'before' | 'midway';
}

const behaviours = {
  well: () => ({ status: 204 }),
  slow: () => ({ status: 204, delayMs: 10_000 }),
  fails: (random) => ({ status: random.chance(0.3) ? 500 : 204 }),
  closes: (random) => {
    const closes = random.pick([undefined, undefined, 'before', 'midway'] as const);
    return { status: 200, ...(closes && { closes }) };
  },
  gone: () => ({ status: 410 }),
  stumbles: (random) => ({ status: random.chance(0.01) ? 503 : 204 }),
} satisfies Record<string, (random: Random) => Answer>;

export type Behaviour = keyof typeof behaviours;

interface Options {
  readonly behaviour: Behaviour;
  /** Where receipts are kept, one in a line, before they are answered: a receiver that is killed forgets none. */
  readonly file: string;
  readonly port?: number;
  readonly random: Random;
  /** Called once a webhook was answered. */
  readonly onAnswered?: () => void;
}

/** A receiver of webhooks on 127.0.0.1. */
export class Receiver {
  behaviour: Behaviour;
  readonly #options: Options;
  readonly #secret = Promise.withResolvers<string>();
  readonly #server = createServer((request, response) => {
    this.#receive(request, response).catch(() => request.socket.destroy());
  });

  constructor(options: Options) {
    this.#options = options;
    this.behaviour = options.behaviour;
  }

  /** Webhooks that arrive earlier wait for it. */
  set secret(secret: string) {
    this.#secret.resolve(secret);
  }

  async listen(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).listen(this.#options.port ?? 0, '127.0.0.1', resolve);
    await promise;
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const problem = problemOf(await this.#secret.promise, body, request.headers);
    const { status, delayMs, closes }: Answer = behaviours[this.behaviour](this.#options.random);
    if (delayMs !== undefined) await pause(delayMs);
    const event: { readonly id?: string; readonly sequence?: number } = JSON.parse(body);
    const receipt: Receipt = {
      ...{ id: String(request.headers['webhook-id']), eventId: String(event.id) },
      ...{ sequence: Number(event.sequence), problem, status: closes === 'before' ? 0 : status },
    };
    appendFileSync(this.#options.file, `${JSON.stringify(receipt)}\n`);
    if (closes === 'before') request.socket.destroy();
    else if (closes === 'midway') {
      response.writeHead(status, { 'Content-Length': 1_000 }).write('{');
      setTimeout(() => request.socket.destroy(), 5);
    } else response.writeHead(status).end(this.#options.onAnswered);
  }
}

const problemOf = (secret: string, body: string, headers: IncomingMessage['headers']): string | null => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return null;
  } catch (error) {
    return String(error);
  }
};

export const readReceipts = (file: string): readonly Receipt[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Receipt => JSON.parse(line))
    : [];
