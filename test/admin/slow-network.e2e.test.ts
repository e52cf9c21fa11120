import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { arePagesSlow } from '../docs/browser.ts';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdminOnce } from './describe-admin.ts';
import { accessibilityProblems, rowsAre } from './fixture.ts';

describeAdminOnce('The admin page on a slow network', (admin) => {
  /** As on a bad mobile connection: each response takes 400 ms and comes at 50 kB a second. */
  const slowDown = async (page: Page): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 },
    });
  };
  const create = async (name: string, fields: object = {}): Promise<Json> => {
    const body = { name, price: { amount: 900, currency: 'EUR' }, stock: 5, ...fields };
    return (await admin.client.post('/v1/products', body)).body.data;
  };
  const paidOrder = async (): Promise<Json> => {
    const { client } = admin;
    const { id } = await create('Cup');
    const { data } = (await client.post('/v1/orders', { product_id: id, quantity: 1 })).body;
    const body = { order_id: data.id, payment_method: 'tok_ok' };
    await client.post('/v1/payments', body, { 'Idempotency-Key': crypto.randomUUID() });
    return data;
  };
  /** The changes that the page sends. */
  const changesOf = (page: Page): readonly string[] => {
    const sent: string[] = [];
    page.on('request', (request: Request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    return sent;
  };

  it('is opened again without asking for its files', async function () {
    // What slows pages down switches their cache off.
    if (arePagesSlow) this.skip();
    const page = await admin.open('/orders');
    await page.locator('a.row').first().waitFor();
    await page.reload();
    await page.locator('a.row').first().waitFor();
    const { kept, loaded }: Record<'kept' | 'loaded', string[]> = await page.evaluate(`(() => {
      const files = performance.getEntriesByType('resource').filter(({ name }) => /\\.(js|ts|css|svg)$/.test(name));
      const of = (isKept) => files.filter(({ transferSize: size }) => (size === 0) === isKept).map(({ name }) => name);
      return { kept: of(true), loaded: of(false) };
    })()`);
    expect(loaded).to.deep.equal([]);
    expect(kept).to.have.length.above(50);
  });

  it('says at once that something is being loaded, and shows it when it is there', async () => {
    const page = await admin.open('/keys');
    await page.getByRole('table').waitFor();
    await slowDown(page);
    // No response arrives before the page was looked at, however slow the machine is.
    let looked = Promise.withResolvers<void>();
    await page.route('**/v1/**', async (route) => {
      await looked.promise;
      await route.continue();
    });
    for (const title of ['Today', 'Orders', 'Products', 'Customers']) {
      looked = Promise.withResolvers();
      await page.getByRole('navigation').getByRole('link', { name: title }).click();
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      expect(await page.locator('.loading').count(), title).to.be.above(0);
      looked.resolve();
    }
    await page.locator('a.row').first().waitFor();
    expect(await page.locator('.loading').count()).to.equal(0);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('sends once what is confirmed by an impatient person', async () => {
    const { id } = await paidOrder();
    const page = await admin.open(`/orders/${id}`);
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Mark as sent' }).waitFor();
    await slowDown(page);
    const sent = changesOf(page);
    // The change arrives only once everything has been pressed.
    const { promise: pressed, resolve: arrive } = Promise.withResolvers<void>();
    await page.route(`**/v1/orders/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await pressed;
      await route.continue();
    });
    await main.getByRole('button', { name: 'Mark as sent' }).click();
    const confirm = page.getByRole('dialog').locator('button.primary');
    await confirm.click({ clickCount: 5, delay: 10 });
    expect(await confirm.innerText()).to.equal('Working …');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    arrive();
    await page.getByRole('status').getByText('The order is marked as sent.').waitFor();
    expect(sent).to.deep.equal([`PATCH /v1/orders/${id}`]);
  });

  it('saves once what is edited and added by an impatient person', async () => {
    const { id } = await create('Kettle');
    const page = await admin.open('/products');
    await page.locator(`#edit-stock-${id}`).click();
    await slowDown(page);
    const sent = changesOf(page);
    await page.getByRole('textbox', { name: 'Stock of Kettle' }).fill('+7');
    for (let turn = 0; turn < 5; turn += 1) await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('12 of Kettle in stock').waitFor();
    expect(sent).to.deep.equal(['POST /v1/stock-changes']);
    await page.getByRole('link', { name: 'Add a product' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tea bowl');
    await page.getByLabel('Price', { exact: true }).fill('12.50');
    for (let turn = 0; turn < 5; turn += 1) await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tea bowl' }).waitFor();
    expect(sent.slice(1)).to.deep.equal(['POST /v1/products']);
  });

  it('shows the last of several views that were opened quickly', async () => {
    await create('A draft', { status: 'draft' });
    const page = await admin.open('/products');
    await page.locator('a.row').first().waitFor();
    await slowDown(page);
    const loading = new Set<Request>();
    page.on('request', (request) => {
      if (request.url().includes('/v1/products?')) loading.add(request);
    });
    for (const type of ['requestfinished', 'requestfailed'] as const)
      page.on(type as 'requestfinished', (request) => loading.delete(request));
    for (const name of ['Archived', 'Active', 'Draft'])
      await page.getByRole('link', { name, exact: true }).click();
    await page.locator('a[aria-current=true]', { hasText: 'Draft' }).waitFor();
    const { data } = (await admin.client.get('/v1/products?status=draft&limit=100')).body;
    await rowsAre(page, data.length);
    // What was asked for before has arrived by then, or was given up.
    await until(
      async () => loading.size,
      (count) => count === 0,
    );
    await page.evaluate('new Promise(requestAnimationFrame)');
    const shown = await page.locator('a.row').allInnerTexts();
    expect(shown).to.have.members(data.map(({ name }: Json) => name));
  });

  it('keeps what was saved when an older list arrives behind it', async () => {
    const { id } = await create('Jug');
    const page = await admin.open('/products');
    const stock = page.locator(`#edit-stock-${id}`);
    await stock.click();
    const lists: (() => Promise<void>)[] = [];
    await page.route('**/v1/products?*', async (route) => {
      const response = await route.fetch();
      if (lists.length > 0) return route.fulfill({ response });
      lists.push(() => route.fulfill({ response }));
    });
    await create('Another one, which has the list loaded again');
    await until(
      async () => lists.length,
      (held) => held === 1,
    );
    await page.getByRole('textbox', { name: 'Stock of Jug' }).fill('40');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('40 of Jug in stock').waitFor();
    for (const send of lists) await send();
    await page.getByRole('link', { name: 'Another one' }).waitFor();
    expect(await stock.innerText()).to.equal('40');
  });
});
