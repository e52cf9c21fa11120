import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import type { Json } from '../http/support/client.ts';
import { expectCreated } from '../http/support/expectations.ts';
import { euros } from '../http/support/shop.ts';
import { type OpenBrowser, openBrowser, reasonToSkip } from './browser.ts';

const folder = new URL('../../docs/examples/shop-page/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The strictest policy that a host of the page can send: nothing but its own files, and the API. */
const policyFor = (api: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${api}`;

describe(`The shop page${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let server: Server;
  let browser: OpenBrowser;
  let page: Page;
  const problems: string[] = [];
  const settings = { api: '', publishableKey: '' };
  let customerKey = '';
  let otherKey = '';

  /** Serves the folder, with the address and the key in the first lines of its script. */
  const host = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    const text = readFileSync(new URL(name, folder), 'utf8')
      .replace('http://127.0.0.1:3000', settings.api)
      .replace('ptp_…', settings.publishableKey);
    response
      .writeHead(200, {
        'Content-Type': types[extname(name)] ?? '',
        'Content-Security-Policy': policyFor(settings.api),
      })
      .end(text);
  });

  before(async function () {
    if (reasonToSkip) return this.skip();
    await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve));
    const origin = `http://localhost:${(host.address() as AddressInfo).port}`;
    server = await startServer({
      DATABASE_URL: 'memory:',
      CORS_ORIGIN: origin,
      CORS_ALLOW_HEADERS: 'Content-Type, Authorization, Idempotency-Key',
    });
    const { client } = server;
    const made = async (path: string, body: object): Promise<Json> =>
      expectCreated(await client.post(path, body), path);
    for (const [name, tags] of [
      ['Ethiopia Yirgacheffe', ['coffee']],
      ['Äthiopien <b>Sidamo</b>', ['coffee']],
      ['Green tea', ['tea']],
    ])
      await made('/v1/products', { name, tags, price: euros(1290), stock: 5 });
    const shop = await made('/v1/users', { email: 'shop-page@example.com', name: 'Shop page' });
    const ada = await made('/v1/users', { email: 'ada@example.com', name: 'Ada' });
    const publishable = { user_id: shop.id, name: 'Shop page', publishable: true };
    settings.api = client.base;
    settings.publishableKey = `${(await made('/v1/api-keys', publishable)).token}`;
    const grace = await made('/v1/users', { email: 'grace@example.com', name: 'Grace' });
    customerKey = `${(await made('/v1/api-keys', { user_id: ada.id, name: 'Ada' })).token}`;
    otherKey = `${(await made('/v1/api-keys', { user_id: grace.id, name: 'Grace' })).token}`;
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(origin);
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
    host.close();
  });

  const texts = (list: string): Promise<string[]> => page.locator(`#${list} li`).allInnerTexts();
  const search = async (words: string): Promise<void> => {
    const found = page.waitForResponse((response) => response.url().includes('/v1/products'));
    await page.getByLabel('Search').fill(words);
    await page.getByLabel('Search').press('Enter');
    await found;
  };

  it('has at most seventy lines of script', () => {
    const lines = readFileSync(new URL('shop.js', folder), 'utf8').split('\n');
    expect(lines.filter((line) => !/^\s*(?:\/\/.*|\/\*\*.*)?$/.test(line))).to.have.length.of.at.most(70);
  });

  it('puts no token into its address where its script is late', async () => {
    const early = await browser.newPage();
    const [arrival, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await early.route('**/shop.js', async (route) => {
      arrived.resolve();
      await arrival.promise;
      await route.continue();
    });
    await early.goto(page.url(), { waitUntil: 'commit' });
    await arrived.promise;
    const address = early.url();
    for (const [label, text] of [
      ...[['Name', 'Ada'] as const, ['Street', 'Herrengasse 1'] as const, ['City', 'Wien'] as const],
      ...[['Country', 'AT'] as const, ['Access token', customerKey] as const],
    ])
      await early.getByLabel(label, { exact: true }).fill(text);
    await early.getByLabel('Access token').press('Enter');
    arrival.resolve();
    await early.getByText('Green tea').waitFor();
    expect(early.url()).to.equal(address);
    await early.close();
  });

  it('shows the catalogue, and finds products by the beginnings of words', async () => {
    await page.getByText('Green tea').waitFor();
    expect(await texts('products')).to.have.lengthOf(3);
    await search('cof ath');
    await page.getByText('Green tea').waitFor({ state: 'detached' });
    expect(await texts('products')).to.deep.equal(['Äthiopien <b>Sidamo</b>, €12.90 Add']);
  });

  it('orders a basket and pays it, once although the button is pressed twice', async () => {
    await page.getByRole('button', { name: 'Add' }).click();
    await search('');
    await page.getByText('Green tea').waitFor();
    for (const count of [1, 2]) {
      await page.locator('#products li', { hasText: 'Sidamo' }).getByRole('button').click();
      expect(await texts('basket')).to.deep.equal([`${count + 1} × Äthiopien <b>Sidamo</b> Remove`]);
    }
    await page.locator('#products li', { hasText: 'Green tea' }).getByRole('button').click();
    expect(await page.locator('#sum').innerText()).to.equal('Total €51.60');
    const address = { Name: 'Ada Hill', Street: 'Herrengasse 1', City: 'Wien', Country: 'AT' };
    for (const [label, value] of Object.entries(address)) await page.getByLabel(label).fill(value);
    await page.getByLabel('Access token').fill(customerKey);
    await page.getByRole('button', { name: 'Order and pay' }).dblclick();
    await page.getByText('Thank you.').waitFor();
    expect(await page.locator('#message').innerText()).to.match(
      /^Thank you\. Order \S{14} of €51\.60 is paid\.$/,
    );
    expect([await texts('basket'), await page.locator('#sum').innerText()]).to.deep.equal([[], '']);
    const { body } = await server.client.get('/v1/orders?expand=items,payments');
    expect(body.data).to.have.lengthOf(1);
    const [{ status, shipping_address: to, expanded }] = body.data;
    expect({ status, name: to.name, country: to.country }).to.deep.equal({
      status: 'paid',
      name: 'Ada Hill',
      country: 'AT',
    });
    expect(expanded.items.map(({ quantity }: { quantity: number }) => quantity)).to.deep.equal([3, 1]);
    expect(expanded.payments).to.have.lengthOf(1);
  });

  it('says what the API has said when there is not enough in stock', async () => {
    for (let count = 0; count < 3; count += 1)
      await page.locator('#products li', { hasText: 'Sidamo' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Order and pay' }).click();
    await page.getByText('not enough in stock').waitFor();
  });

  it('orders with a new key when goods have arrived since', async () => {
    const [{ id }] = (await server.client.get('/v1/products?q=sidamo')).body.data;
    const arrival = await server.client.post('/v1/stock-changes', { product_id: id, change: 10 });
    expectCreated(arrival, '/v1/stock-changes');
    await page.getByRole('button', { name: 'Order and pay' }).click();
    await page.getByText('Thank you.').waitFor();
  });

  const decline = (route: Route): Promise<void> =>
    route.continue({ postData: route.request().postData()?.replace('tok_ok', 'tok_declined') ?? '' });

  it('pays the same order with a new key after a decline', async () => {
    await page.locator('#products li', { hasText: 'Green tea' }).getByRole('button').click();
    await page.route('**/v1/payments', decline, { times: 1 });
    await page.getByRole('button', { name: 'Order and pay' }).click();
    await page.getByText('declined').waitFor();
    await page.getByRole('button', { name: 'Order and pay' }).click();
    await page.getByText('Thank you.').waitFor();
    const { body } = await server.client.get('/v1/orders?sort=-id&expand=payments&limit=1');
    const statuses = body.data[0].expanded.payments.map(({ status }: { status: string }) => status);
    expect(statuses).to.deep.equal(['failed', 'succeeded']);
  });

  const order = (): Promise<void> => page.getByRole('button', { name: 'Order and pay' }).click();
  const newestOrder = async (): Promise<Json> =>
    (await server.client.get('/v1/orders?sort=-id&expand=payments&limit=1')).body.data[0];

  /** The first try of another customer says that the order is not theirs. */
  const refuse = async (key: string): Promise<void> => {
    await page.getByLabel('Access token').fill(key);
    const refused = page.waitForResponse((response) => response.status() === 403);
    await order();
    await refused;
  };

  for (const [leftBy, leave] of [
    ['staff canceled', ({ id }: Json) => server.client.patch(`/v1/orders/${id}`, { status: 'canceled' })],
    ['is of another customer', () => refuse(otherKey)],
  ] as const)
    it(`leaves an order that ${leftBy} after a decline, and places the basket anew`, async () => {
      await page.locator('#products li', { hasText: 'Green tea' }).getByRole('button').click();
      await page.route('**/v1/payments', decline, { times: 1 });
      await order();
      await page.getByText('declined').waitFor();
      const left = await newestOrder();
      await leave(left);
      await order();
      await page.getByText('Thank you.').waitFor();
      const placed = await newestOrder();
      expect([placed.id === left.id, placed.status]).to.deep.equal([false, 'paid']);
    });

  it('adds one step of a product at a time', async () => {
    const fields = { name: 'Loose tea', price: euros(499), quantity_step: 0.1 };
    expectCreated(await server.client.post('/v1/products', fields), '/v1/products');
    await page.reload();
    for (const count of ['0.1', '0.2', '0.3']) {
      await page.locator('#products li', { hasText: 'Loose tea' }).getByRole('button').click();
      expect(await texts('basket')).to.deep.equal([`${count} × Loose tea Remove`]);
    }
  });

  it('reports nothing on the console, and keeps no token', async () => {
    expect(problems.filter((text) => !/status of (?:403|409|422)/.test(text))).to.deep.equal([]);
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).to.equal('[{},{},""]');
  });
});
