import { appendFile, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { root } from '../lab/program.ts';
import { StripeServer } from '../stripe/stripe-server.ts';
import { runShell } from './project.ts';

/** What a reader's clone does not have, or has as its own. */
const own: ReadonlySet<string> = new Set(['.env', '.git', 'data', 'dist']);

/** One second instead of ten for a provider that does not respond, and three for the last requests of an erased user. */
const times = { PAYMENT_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '3000' };

/** Only a program that stands for the reader's own needs to stay below its limit. */
const usual = {
  ADMIN_API_KEY: undefined,
  SEED_DEMO: undefined,
  CORS_ORIGIN: undefined,
  RATE_LIMIT_MAX: undefined,
};

const webhookSecret = 'whsec_of_the_tests';

/** The clone of a reader: its first start made the demonstration shop, and later starts read its `.env`. */
export class ReadersShop {
  readonly #folder: string;
  readonly #port: number;
  readonly #printed: string;
  readonly #stripe: StripeServer;
  readonly #eventsUrl: string;
  #server: Server;

  /** @param folder that does not exist */
  static async open(folder: string): Promise<ReadersShop> {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(root))
      if (!own.has(name)) await symlink(join(root, name), join(folder, name));
    const stripe = await StripeServer.start();
    const [port, eventsPort] = [await freePort(), await freePort()];
    return new ReadersShop(folder, port, `http://127.0.0.1:${eventsPort}`, stripe, await start(folder, port));
  }

  private constructor(
    ...[folder, port, eventsUrl, stripe, server]: readonly [string, number, string, StripeServer, Server]
  ) {
    this.#folder = folder;
    this.#port = port;
    this.#eventsUrl = eventsUrl;
    this.#stripe = stripe;
    this.#server = server;
    this.#printed = server.program.output;
  }

  /** Adds lines to `.env` and restarts, as a guide says. @param withStripe takes the payments that follow to a server like Stripe */
  async addSettings(lines: string, withStripe: boolean): Promise<void> {
    await appendFile(join(this.#folder, '.env'), `${this.#withOwnNames(lines)}\n`);
    if (withStripe) await this.#stripe.subscribe(`${this.#eventsUrl}/provider-events`, [webhookSecret]);
    const stripe = {
      STRIPE_API_BASE: this.#stripe.url,
      STRIPE_WEBHOOK_SECRETS: webhookSecret,
      PROVIDER_EVENTS_PORT: new URL(this.#eventsUrl).port,
      // Only the webhook brings news.
      PROVIDER_EVENTS_POLL_MS: '0',
    };
    await this.#restart(withStripe ? stripe : {});
  }

  /** Takes its `.env` away, and restarts. */
  async removeSettings(): Promise<void> {
    await rm(join(this.#folder, '.env'), { force: true });
    await this.#restart({});
  }

  async #restart(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.#server.program.stop();
    this.#server = await start(this.#folder, this.#port, settings);
  }

  /** Runs blocks in one shell, with the reader's own address and keys in them. @param mark printed after each block @returns the output */
  run(commands: readonly string[], mark: string): Promise<string> {
    const script = commands.map((command) => `${this.#withOwnNames(command)}\necho '${mark}'`);
    return runShell(this.#folder, [this.#payer(), ...script].join('\n'));
  }

  /** A payer who consents, in place of the browser that a guide opens. */
  #payer(): string {
    return `xdg-open() {
  local intent=\${1#*payment_intent=}
  curl -sf -o /dev/null -d "{\\"intent\\": \\"\${intent%%&*}\\"}" ${this.#stripe.url}/control/payer
}`;
  }

  #withOwnNames(text: string): string {
    return text
      .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${this.#port}`)
      .replaceAll('https://api.stripe.com', this.#stripe.url)
      .replaceAll('https://api.shop.example', this.#eventsUrl)
      .replaceAll('sk_test_…', 'sk_test_1')
      .replaceAll('ADMIN=ptc_…', `ADMIN=${this.#keyOf('admin')}`)
      .replaceAll('KEY=ptc_…', `KEY=${this.#keyOf('customer')}`);
  }

  #keyOf(name: string): string {
    return new RegExp(`^ +${name} +(ptc_\\S+)$`, 'm').exec(this.#printed)?.[1] ?? '';
  }

  async close(): Promise<void> {
    await this.#server.program.kill();
    await this.#stripe.stop();
  }
}

const start = (
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> => startServer({ ...usual, ...times, PORT: `${port}`, ...settings }, { folder });
