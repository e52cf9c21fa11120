import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { reasonToSkip, type Visit } from '../docs/browser.ts';
import type { Json } from '../http/support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type AdminFixture, adminFixture } from './fixture.ts';
import { chooseFile, countsOf, holdImport, retryAtOnce, sendFile } from './import-steps.ts';

const count = 60;

describe(`Interrupted imports on the admin page${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  const folder = temporaryFolder();
  let settings: Readonly<Record<string, string>>;
  let fixture: AdminFixture;
  let visited: Visit;

  before(async function () {
    if (reasonToSkip) return this.skip();
    settings = {
      ...{ DATABASE_URL: `sqlite:${folder('shop.db')}`, SEED_DEMO: '0', ADMIN_PAGE: '1' },
      ...{ PAGES_HOST: '127.0.0.1', PAGES_PORT: `${await freePort()}` },
    };
    fixture = await adminFixture(settings);
  });
  after(() => fixture?.close());
  beforeEach(async () => {
    visited = await fixture.open('/products/import');
  });
  afterEach(() => visited.close());

  const list = (word: string): string =>
    `sku,name,price\n${Array.from({ length: count }, (_, n) => `${word}-${n},${word} ${n},5`).join('\n')}\n`;
  /** Each line is there once. */
  const expectAll = async ({ client }: Server, word: string) => {
    const { data } = (await client.get(`/v1/products?q=${word}&limit=100`)).body;
    expect(data.map(({ name }: Json) => name).sort()).to.deep.equal(
      Array.from({ length: count }, (_, n) => `${word} ${n}`).sort(),
    );
  };

  it('wait as long as the server asks for when it has too many requests', async () => {
    const { page } = visited;
    const rejected = new Set<string>();
    await page.route('**/v1/products', async (route) => {
      const key = (await route.request().headerValue('idempotency-key')) ?? '';
      if (rejected.has(key) || rejected.size >= 6) return route.continue();
      rejected.add(key);
      const error = { code: 'RATE_LIMITED', message: 'Too many requests.' };
      await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error } });
    });
    await chooseFile(page, list('patient'));
    await sendFile(page);
    expect(await countsOf(page, 60_000)).to.equal(`Added ${count} Updated 0 Unchanged 0 With errors 0`);
    expect(rejected.size).to.equal(6);
    await expectAll(fixture.server, 'patient');
  });

  for (const [use, expected] of [
    ['Is added to the stock', 112],
    ['Replaces the stock', 10],
  ] as const)
    it(`change a stock once when the responses are lost: ${use}`, async () => {
      const { page } = visited;
      const { client } = fixture.server;
      const sku = `LOST-${expected}`;
      const body = { name: 'Lost', sku, price: { amount: 100, currency: 'EUR' }, stock: 102 };
      const { id } = (await client.post('/v1/products', body)).body.data;
      const stock = async () => (await client.get(`/v1/products/${id}`)).body.data.stock;
      const isChange = '**/v1/stock-changes';
      let lost = 0;
      await page.route(isChange, async (route) => {
        await route.fetch();
        lost += 1;
        await route.abort();
      });
      const countsAfterRetries = await retryAtOnce(page);
      await chooseFile(page, `SKU;Qty\n${sku};10`);
      await page.getByRole('radio', { name: use }).click();
      await sendFile(page);
      expect(await countsAfterRetries()).to.match(/Not sent 1$/);
      expect(lost).to.be.greaterThan(0);
      expect(await stock()).to.equal(expected);
      await client.post('/v1/stock-changes', { product_id: id, change: -1, reason: 'Sold meanwhile' });
      await page.unroute(isChange);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('heading', { name: /^Done/ }).waitFor();
      expect(await stock()).to.equal(expected - 1);
      const changes = (await client.get(`/v1/stock-changes?product_id=${id}`)).body.data;
      expect(changes.map(({ stock_after: after }: Json) => after)).to.deep.equal([expected, expected - 1]);
    });

  it('give a new product what is added to its stock when they go on', async () => {
    const { page } = visited;
    const { client } = fixture.server;
    await page.route('**/v1/stock-changes', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'FORBIDDEN', message: 'Not now.' } } }),
    );
    await chooseFile(page, 'SKU;Name;Price;Qty\nHALF;Half;5;7');
    await page.getByRole('radio', { name: 'Is added to the stock' }).click();
    await sendFile(page);
    expect(await countsOf(page)).to.match(/Not sent 1$/);
    const stock = async () => (await client.get('/v1/products?sku=HALF')).body.data[0].stock;
    expect(await stock()).to.equal(0);
    await page.unroute('**/v1/stock-changes');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: /^Done/ }).waitFor();
    expect(await stock()).to.equal(7);
  });

  /** How far the page says that an import has come. */
  const unfinished = async (page: Page): Promise<number> => {
    const text = await page
      .getByText(/The import of list\.csv was stopped after/)
      .first()
      .innerText();
    return Number(/after (\d+) of 60 products/.exec(text)?.[1]);
  };

  it('ask before they are left, say how far they came, and go on by SKU when they are started again', async () => {
    const { page } = visited;
    for (const path of ['/products', '/products/import']) await page.goto(`/admin#${path}`);
    const release = await holdImport(page);
    await chooseFile(page, list('left'));
    await sendFile(page);
    await page.getByText(/^[1-9]\d? of 60/).waitFor();
    const dialog = page.getByRole('dialog');
    for (const leave of [
      () => page.getByRole('link', { name: 'Orders' }).click(),
      () => page.getByRole('button', { name: 'Sign out' }).click(),
      () => page.goBack(),
    ]) {
      await leave();
      await dialog.getByText('Products are still being sent').waitFor();
      await dialog.getByRole('button', { name: 'Stay here' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('heading', { name: 'Importing list.csv' }).waitFor();
    await page.getByRole('link', { name: 'Orders' }).click();
    await dialog.getByRole('button', { name: 'Leave and stop it' }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    const done = await unfinished(page);
    expect(done).to.be.within(1, 59);
    release();
    await page.goto('/admin#/products/import');
    expect(await unfinished(page)).to.be.within(done, 59);
    await chooseFile(page, list('left'));
    await sendFile(page);
    const counts = await countsOf(page, 60_000);
    const [, added, unchanged] = /^Added (\d+) Updated 0 Unchanged (\d+) With errors 0$/.exec(counts) ?? [];
    expect(Number(added) + Number(unchanged)).to.equal(count);
    expect(Number(unchanged)).to.be.at.least(done);
    await expectAll(fixture.server, 'left');
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByText('Drop a file here').waitFor();
    expect(await page.getByRole('main').getByText('was stopped').count()).to.equal(0);
  });

  it('ask before the page is loaded anew, and say afterwards how far they came', async () => {
    const { page } = visited;
    const release = await holdImport(page);
    const asked: string[] = [];
    page.on('dialog', async (question) => {
      asked.push(question.type());
      await question.accept();
    });
    await chooseFile(page, list('reloaded'));
    await sendFile(page);
    await page.getByText(/^[1-9]\d? of 60/).waitFor();
    await page.reload();
    release();
    expect(await unfinished(page)).to.be.within(1, 59);
    expect(asked).to.deep.equal(['beforeunload']);
  });

  it('say so when the server has stopped, and go on without a line twice when it is there again', async () => {
    const { page } = visited;
    const [release, countsAfterRetries] = [await holdImport(page), await retryAtOnce(page)];
    await chooseFile(page, list('stopped'));
    await sendFile(page);
    await page.getByText(/^[1-9]\d? of 60/).waitFor();
    await fixture.server.program.kill();
    release();
    expect(await countsAfterRetries()).to.match(
      /^Added \d+ Updated 0 Unchanged 0 With errors 0 Not sent \d+$/,
    );
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    const again = await startServer(settings);
    try {
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('heading', { name: /^Done/ }).waitFor({ timeout: 60_000 });
      expect(await countsOf(page)).to.match(/With errors 0$/);
      await expectAll(again, 'stopped');
    } finally {
      await again.program.kill();
    }
  });
});
