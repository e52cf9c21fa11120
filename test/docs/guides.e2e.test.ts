import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { StripeServer } from '../stripe/stripe-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { needsProject, stepsOf } from './guide.ts';

const run = promisify(execFile);
const mark = '--- the next block ---';

/** A running server, and what the first start has printed. */
interface Shop {
  readonly server: Server;
  readonly printed: string;
}

/** Whether a guide takes payments by Stripe. */
const needsStripe = (markdown: string): boolean => markdown.includes('PAYMENT_PROVIDER=stripe');

/** A payer who consents, in place of the browser that a guide opens. */
const payer = (stripeUrl: string): string => `xdg-open() {
  local intent=\${1#*payment_intent=}
  curl -sf -o /dev/null -d "{\\"intent\\": \\"\${intent%%&*}\\"}" ${stripeUrl}/control/payer
}
`;

describe('A guide', () => {
  const folder = temporaryFolder();
  let sandboxShop: Shop | undefined;
  let stripeShop: Shop | undefined;
  let stripe: StripeServer | undefined;
  let eventsUrl = '';
  before(async function () {
    if (spawnSync('jq', ['--version']).status !== 0) {
      process.stderr.write('The guides need jq: apt-get install jq.\n');
      this.skip();
    }
    // One second instead of ten for a provider that does not respond, and three for the last requests of an erased user.
    const times = { PAYMENT_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '3000' };
    const server = await startServer({ DATABASE_URL: 'memory:', SEED_DEMO: '1', ...times });
    sandboxShop = { server, printed: server.program.output };
    stripe = await StripeServer.start();
    eventsUrl = `http://127.0.0.1:${await freePort()}`;
    stripeShop = await startStripeShop(stripe, eventsUrl, times);
  });
  after(async () => {
    for (const shop of [sandboxShop, stripeShop]) await shop?.server.program.kill();
    await stripe?.stop();
  });

  /** Starts the demonstration, which takes no real cards, and then the same shop with Stripe and a webhook. */
  const startStripeShop = async (
    provider: StripeServer,
    eventsUrl: string,
    times: Record<string, string>,
  ): Promise<Shop> => {
    const settings = { DATABASE_URL: `sqlite:${folder('shop.db')}`, ...times };
    const { program } = await startServer({ ...settings, SEED_DEMO: '1' });
    await program.kill();
    const secret = 'whsec_of_the_tests';
    await provider.subscribe(`${eventsUrl}/provider-events`, [secret]);
    const server = await startServer({
      ...settings,
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_API_BASE: provider.url,
      STRIPE_WEBHOOK_SECRETS: secret,
      PROVIDER_EVENTS_PORT: new URL(eventsUrl).port,
      // Only the webhook brings news.
      PROVIDER_EVENTS_POLL_MS: '0',
    });
    return { server, printed: program.output };
  };

  const keyOf = (shop: Shop | undefined, name: string): string =>
    new RegExp(`^ +${name} +(ptc_\\S+)$`, 'm').exec(shop?.printed ?? '')?.[1] ?? '';

  /** Puts the shop's address and keys into a block, as a reader would. */
  const withOwnKeys = (command: string, shop: Shop | undefined): string =>
    command
      .replaceAll('http://127.0.0.1:3000', shop?.server.client.base ?? '')
      .replaceAll('https://api.stripe.com', stripe?.url ?? '')
      .replaceAll('https://api.shop.example', eventsUrl)
      .replaceAll('sk_test_…', 'sk_test_1')
      .replaceAll('KEY=ptc_…', `KEY=${keyOf(shop, 'customer')}`)
      .replaceAll('ADMIN=ptc_…', `ADMIN=${keyOf(shop, 'admin')}`);

  for (const file of globSync('docs/guides/*.md').toSorted()) {
    const markdown = readFileSync(file, 'utf8');
    if (needsProject(markdown)) continue;
    const steps = stepsOf(markdown);
    const runnable = steps.filter(({ notRun }) => notRun === undefined);

    it(`does what it shows, pasted block by block: ${basename(file, '.md')}`, async () => {
      expect(runnable.length).to.be.greaterThan(1);
      const shop = needsStripe(markdown) ? stripeShop : sandboxShop;
      const commands = runnable.map(({ command }) => withOwnKeys(command, shop));
      const script = payer(stripe?.url ?? '') + commands.join(`\necho '${mark}'\n`);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { timeout: 50_000 });
      const responses = stdout.split(`${mark}\n`);
      for (const [place, { command, expected }] of runnable.entries()) {
        if (expected) expect(responses[place]?.trim(), command).to.match(expected);
      }
    });
  }
});
