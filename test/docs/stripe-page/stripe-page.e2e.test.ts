import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { expect } from 'chai';
import type { FrameLocator, Page } from 'playwright-core';
import { apiVersion } from '#adapters/payment/stripe/api/client.ts';
import { type Server, startServer } from '../../bootstrap/support/server.ts';
import type { Json } from '../../http/support/client.ts';
import { expectCreated } from '../../http/support/expectations.ts';
import { euros, once } from '../../http/support/shop.ts';
import { StripeProcess } from '../../stripe/stripe-process.ts';
import { until } from '../../support/until.ts';
import { type OpenBrowser, openBrowser, reasonToSkip } from '../browser.ts';
import { readControls } from '../controls.ts';
import { frictionlessCard } from './cards.ts';
import { serveStripe } from './stripe-js.ts';

const folder = new URL('../../../docs/examples/stripe-page/', import.meta.url);
const guide = readFileSync(new URL('../../../docs/guides/take-real-cards.md', import.meta.url), 'utf8');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The policy that the guide shows, for this API. */
const policyFor = (api: string): string =>
  (/^default-src .+$/m.exec(guide)?.[0] ?? '').replace('https://api.shop.example', api);

describe(`The page that takes cards${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let server: Server;
  let stripe: StripeProcess;
  let browser: OpenBrowser;
  let origin = '';
  let product: Json;
  const customer = { id: '', key: '' };
  const problems: string[] = [];
  let redirects = false;

  /** Serves the folder, with the address and the key of this test. */
  const host = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const text = readFileSync(new URL(name, folder), 'utf8')
      .replace('http://127.0.0.1:3000', server.client.base)
      .replace('pk_test_…', 'pk_test_1')
      .replace('pay(send, order, elements)', redirects ? 'pay(send, order, elements, location.href)' : '$&');
    const headers = { 'Content-Security-Policy': policyFor(server.client.base) };
    response.writeHead(200, { ...headers, 'Content-Type': types[extname(name)] ?? '' }).end(text);
  });

  before(async function () {
    if (reasonToSkip) return this.skip();
    await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve));
    origin = `http://localhost:${(host.address() as AddressInfo).port}`;
    stripe = await StripeProcess.start();
    server = await startServer({
      DATABASE_URL: 'memory:',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_API_BASE: stripe.url,
      CORS_ORIGIN: origin,
      CORS_ALLOW_HEADERS: 'Content-Type, Authorization, Idempotency-Key',
    });
    const { client } = server;
    product = await made('/v1/products', { name: 'Sidamo', price: euros(1290), stock: 1000 });
    customer.id = `${(await made('/v1/users', { email: 'ada@example.com', name: 'Ada' })).id}`;
    customer.key = `${(await made('/v1/api-keys', { user_id: customer.id, name: 'Ada' })).token}`;
    browser = await openBrowser();
    expect(client.base).to.match(/^http:\/\/127\.0\.0\.1:/);
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
    await stripe?.stop();
    host.close();
  });

  const made = async (path: string, body: object): Promise<Json> =>
    expectCreated(await server.client.post(path, body, once()), path);

  interface Visit {
    readonly page: Page;
    readonly order: Json;
    readonly card: FrameLocator;
    readonly bank: FrameLocator;
  }

  /** Opens the page for an order, new by default, and signs the customer in. */
  const visit = async (viewport = { width: 1280, height: 720 }, earlier?: Json): Promise<Visit> => {
    const page = await browser.newPage({ viewport });
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
    await serveStripe(page, stripe);
    const items = [{ product_id: product.id, quantity: 2 }];
    const order = earlier ?? (await made('/v1/orders', { user_id: customer.id, items }));
    await page.goto(`${origin}/?order=${order.id}`);
    await signIn(page);
    return {
      page,
      order,
      card: page.frameLocator('#fields iframe'),
      bank: page.frameLocator('dialog iframe'),
    };
  };

  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('Access token').fill(customer.key);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  const payWith = async ({ page, card }: Visit, number: string): Promise<void> => {
    await card.getByLabel('Card number').fill(number);
    await page.getByRole('button', { name: 'Pay €25.80' }).click();
  };

  const paymentsOf = async ({ order }: Visit): Promise<readonly Json[]> =>
    (await server.client.get(`/v1/orders/${order.id}?expand=payments`)).body.data.expanded.payments;

  const statusesOf = async (opened: Visit): Promise<readonly unknown[]> =>
    (await paymentsOf(opened)).map(({ status }) => status);

  it('has at most thirty lines of script about Stripe', () => {
    const lines = readFileSync(new URL('pay.js', folder), 'utf8').split('\n');
    const code = lines.filter((line) => !/^\s*(?:\/\/.*|\/\*\*.*)?$/.test(line));
    expect(code).to.have.length.within(20, 30);
  });

  it('loads the Stripe.js that belongs to the API version of the adapter', () => {
    const page = readFileSync(new URL('index.html', folder), 'utf8');
    const [, release] = apiVersion.split('.');
    expect(page).to.include(`<script src="https://js.stripe.com/${release}/stripe.js"></script>`);
  });

  it('takes a card whose bank asks nothing', async () => {
    const opened = await visit();
    await payWith(opened, '4242 4242 4242 4242');
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['succeeded']);
  });

  it('puts no token into its address where its script is late', async () => {
    const page = await browser.newPage();
    await serveStripe(page, stripe);
    const [arrival, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/page.js', async (route) => {
      arrived.resolve();
      await arrival.promise;
      await route.continue();
    });
    const order = await made('/v1/orders', {
      user_id: customer.id,
      items: [{ product_id: product.id, quantity: 1 }],
    });
    await page.goto(`${origin}/?order=${order.id}`, { waitUntil: 'commit' });
    await arrived.promise;
    const address = page.url();
    await page.getByLabel('Access token').fill(customer.key);
    await page.getByLabel('Access token').press('Enter');
    arrival.resolve();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Pay €12.90' }).waitFor();
    expect(page.url()).to.equal(address);
    await page.close();
  });

  it('takes a card whose bank needs no dialog', async () => {
    const opened = await visit();
    await payWith(opened, frictionlessCard);
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['succeeded']);
  });

  it('lets the payer consent, and says that the order is paid', async () => {
    const opened = await visit();
    await payWith(opened, '4000 0027 6000 3184');
    await opened.bank.getByRole('button', { name: 'Complete' }).click();
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    const [payment] = await paymentsOf(opened);
    expect(payment).to.deep.include({ status: 'succeeded', amount: euros(2580), failure: null });
  });

  it('says when the bank declines after the consent, and takes another card', async () => {
    const opened = await visit();
    await payWith(opened, '4000 0082 6000 3178');
    await opened.bank.getByRole('button', { name: 'Complete' }).click();
    await opened.page.getByText('Your card has insufficient funds. Nothing was charged.').waitFor();
    await payWith(opened, '4242 4242 4242 4242');
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['failed', 'succeeded']);
  });

  for (const button of ['Fail', 'Close'])
    it(`says that nothing was charged when the payer presses ${button} in the dialog, and tries again`, async () => {
      const opened = await visit();
      await payWith(opened, '4000 0027 6000 3184');
      await opened.bank.getByRole('button', { name: button }).click();
      await opened.page.getByText('Nothing was charged. Try again, or use another card.').waitFor();
      await opened.page.getByRole('button', { name: 'Pay €25.80' }).click();
      await opened.bank.getByRole('button', { name: 'Complete' }).click();
      await opened.page.getByText('Thank you. Your order is paid.').waitFor();
      const payments = await paymentsOf(opened);
      expect(payments.map(({ failure }) => (failure as Json | null)?.code ?? null)).to.deep.equal([
        'payment_intent_authentication_failure',
        null,
      ]);
    });

  it('goes on with the same payment when the payer closes the page and comes back', async () => {
    const opened = await visit();
    await payWith(opened, '4000 0027 6000 3184');
    await opened.bank.getByRole('button', { name: 'Complete' }).waitFor();
    await opened.page.close();
    const again = await visit(undefined, opened.order);
    await again.bank.getByRole('button', { name: 'Complete' }).click();
    await again.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(again)).to.deep.equal(['succeeded']);
  });

  it('says why a card is declined, and takes another one', async () => {
    const opened = await visit();
    await payWith(opened, '4000 0000 0000 9995');
    await opened.page.getByText('Your card has insufficient funds.').waitFor();
    await payWith(opened, '4242 4242 4242 4242');
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['failed', 'succeeded']);
  });

  it('sends nothing to Portico when a field is incomplete or the number is wrong', async () => {
    const opened = await visit();
    await payWith(opened, '4242');
    await opened.page.getByText('Your card number is incomplete.').waitFor();
    await payWith(opened, '4242 4242 4242 4241');
    await opened.page.getByText('Your card number is invalid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal([]);
  });

  it('repeats a payment with the same key when its response is lost', async () => {
    const opened = await visit();
    const keys: (string | null)[] = [];
    await opened.page.route('**/v1/payments', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'));
      const response = await route.fetch();
      return keys.length === 1 ? route.abort() : route.fulfill({ response });
    });
    await payWith(opened, '4242 4242 4242 4242');
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(new Set(keys)).to.have.lengthOf(1);
    expect(keys.length).to.be.greaterThan(1);
    expect(await statusesOf(opened)).to.deep.equal(['succeeded']);
    problems.splice(0, problems.length, ...problems.filter((text) => !/payments|ERR_FAILED/.test(text)));
  });

  it('pays once although the button is pressed twice', async () => {
    const opened = await visit();
    await opened.card.getByLabel('Card number').fill('4242 4242 4242 4242');
    await opened.page.getByRole('button', { name: 'Pay €25.80' }).dblclick();
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['succeeded']);
  });

  it('sends the payer to the bank and back where a return_url is given', async () => {
    redirects = true;
    const opened = await visit();
    redirects = false;
    await payWith(opened, '4000 0027 6000 3184');
    await opened.page.getByRole('link', { name: 'Back to the shop' }).click();
    await signIn(opened.page);
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['succeeded']);
  });

  it('says that a card is charged later where the shop captures later', async () => {
    const items = [{ product_id: product.id, quantity: 2 }];
    const order = await made('/v1/orders', { user_id: customer.id, items });
    const payment = { order_id: order.id, payment_method: 'pm_card_visa', capture: 'manual' };
    await made('/v1/payments', payment);
    const { page } = await visit(undefined, order);
    await page.getByText('Thank you. Your card is charged when the order leaves.').waitFor();
    await page.getByRole('button').first().waitFor({ state: 'detached' });
  });

  it('says that the bank decides later, and asks until it has', async () => {
    const opened = await visit();
    await opened.page.route('**/v1/payments', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"status":"succeeded"', '"status":"processing"');
      return route.fulfill({ response, body });
    });
    await payWith(opened, '4242 4242 4242 4242');
    await opened.page.getByText('Your bank is still deciding.').waitFor();
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
  });

  it('offers another attempt when the payment was canceled meanwhile', async () => {
    const opened = await visit();
    await payWith(opened, '4000 0027 6000 3184');
    const close = opened.bank.getByRole('button', { name: 'Close' });
    await close.waitFor();
    const [payment] = await paymentsOf(opened);
    await server.client.patch(`/v1/payments/${payment?.id}`, { status: 'canceled' }, once());
    await close.click();
    await opened.page.getByText('Nothing was charged. You can pay again.').waitFor();
    await payWith(opened, '4242 4242 4242 4242');
    await opened.page.getByText('Thank you. Your order is paid.').waitFor();
    expect(await statusesOf(opened)).to.deep.equal(['canceled', 'succeeded']);
  });

  it('offers no payment for an order that was canceled, before it was opened or since', async () => {
    const opened = await visit();
    await opened.card.getByLabel('Card number').fill('4242 4242 4242 4242');
    await server.client.patch(`/v1/orders/${opened.order.id}`, { status: 'canceled' });
    await opened.page.getByRole('button', { name: 'Pay €25.80' }).click();
    for (const { page } of [opened, await visit(undefined, opened.order)]) {
      await page.getByText('This order was canceled').waitFor();
      expect(await page.getByRole('button', { name: 'Pay' }).isVisible()).to.equal(false);
    }
    expect(await statusesOf(opened)).to.deep.equal([]);
  });

  it('pauses before it asks again when Stripe.js fails at once', async () => {
    const opened = await visit();
    await opened.page.route('https://api.stripe.com/v1/payment_intents/**', (route) =>
      route.fulfill({ json: { status: 'processing' }, headers: { 'Access-Control-Allow-Origin': '*' } }),
    );
    await payWith(opened, '4000 0027 6000 3184');
    // By the clock of the page, since this process may hear of requests late.
    const times = await until(
      () =>
        opened.page.evaluate<number[]>(`performance.getEntriesByType('resource')
          .filter(({ name }) => name.includes('/v1/payments/'))
          .map(({ startTime }) => startTime).slice(0, 4)`),
      ({ length }) => length === 4,
    );
    const pausesMs = times.slice(1).map((at, index) => at - (times[index] ?? at));
    expect(Math.min(...pausesMs)).to.be.greaterThan(900);
    const [payment] = await paymentsOf(opened);
    await server.client.patch(`/v1/payments/${payment?.id}`, { status: 'canceled' }, once());
    await opened.page.getByText('Nothing was charged. You can pay again.').waitFor();
  });

  it('fits a phone, names its controls, and can be read', async () => {
    const opened = await visit({ width: 320, height: 640 });
    await opened.page.getByRole('button', { name: 'Pay €25.80' }).waitFor();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
    const { count, unnamed } = await readControls(opened.page);
    expect({ count, unnamed }).to.deep.equal({ count: 1, unnamed: [] });
    const faint = readFileSync(new URL('../faint.js', import.meta.url), 'utf8');
    expect(await opened.page.evaluate(faint)).to.deep.equal([]);
    const { height } = (await opened.page.getByRole('button').boundingBox()) ?? { height: 0 };
    expect(height).to.be.at.least(44);
  });

  it('can be used with the keyboard alone, and announces what happens', async () => {
    const opened = await visit();
    await opened.card.getByLabel('Card number').fill('4000 0000 0000 0002');
    await opened.card.getByLabel('Security code').focus();
    await opened.page.keyboard.press('Tab');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('status').getByText('Your card was declined.').waitFor();
    await until(
      () => opened.page.evaluate('document.activeElement.textContent'),
      (text) => text === 'Pay €25.80',
    );
  });

  it('reports nothing on the console, and keeps no token', async () => {
    expect(problems.filter((text) => !/status of 422/.test(text))).to.deep.equal([]);
    const { page } = await visit();
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).to.equal('[{},{},""]');
  });
});
