import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { newReader, openBrowser, reasonToSkip } from './browser.ts';
import { readControls } from './controls.ts';
import { Reference } from './reference.ts';
import { type Served, serve } from './served.ts';

/** In pixels: the height of the header, with room for the margin below it. */
const headerHeight = 120;

const topOf = `(() => {
  const block = document.querySelector('.opblock.is-open');
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  return block ? { top: block.getBoundingClientRect().top, isAtEnd } : undefined;
})()`;

const openAll = `for (const control of document.querySelectorAll('.opblock:not(.is-open) .opblock-summary-control'))
  control.click();`;

describe(`The docs, read in a browser,${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, function () {
  this.timeout(120_000);
  let browser: Browser;
  let served: Served;
  const pages: Page[] = [];

  const open = async (path: string, options: BrowserContextOptions = {}, url = served.url): Promise<Page> => {
    const page = await (await newReader(browser, url, options)).newPage();
    pages.push(page);
    await page.goto(path);
    return page;
  };

  /** Waits until the page no longer moves. @returns where the open operation is */
  const settledTop = async (page: Page): Promise<{ top: number; isAtEnd: boolean }> => {
    await page.locator('.opblock.is-open .execute').waitFor();
    let last = '';
    for (;;) {
      const now = JSON.stringify(await page.evaluate(topOf));
      if (now === last) return JSON.parse(now);
      last = now;
      await page.waitForTimeout(500);
    }
  };

  before(async function () {
    if (reasonToSkip) return this.skip();
    served = await serve();
    browser = await openBrowser();
  });
  afterEach(() => Promise.all(pages.splice(0).map((page) => page.context().close())));
  after(async () => {
    await browser?.close();
    await served?.close();
  });

  for (const [width, named] of [
    [1440, ['#GET/v1/products', '#GET/v1/orders/%7Border_id%7D', '#DELETE/v1/api-keys/{id}']],
    [390, ['#GET/v1/orders/{order_id}']],
  ] as const) {
    it(`scroll to the operation that a link names, also after a load (${width} px)`, async () => {
      const viewport = { width, height: 800 };
      for (const link of named) {
        const page = await open(`/docs${link}`, { viewport });
        const { top, isAtEnd } = await settledTop(page);
        expect(top, link).to.be.within(0, isAtEnd ? 800 : headerHeight);
        const focused = await page.evaluate<string>(`document.activeElement.closest('.opblock').id`);
        expect(focused, link).to.equal(await page.locator('.opblock.is-open').getAttribute('id'));
      }
    });
  }

  it('scroll to it also when the credentials arrive late, and stay where the reader goes meanwhile', async () => {
    const page = await open('about:blank', { viewport: { width: 1440, height: 800 } });
    await page.route('**/docs/keys.json', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await page.goto('/docs#POST/v1/refunds');
    expect((await settledTop(page)).top).to.be.within(0, headerHeight);
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -1_500);
    await page.waitForTimeout(300);
    await page.evaluate(`document.querySelector('#reference').style.paddingBottom = '500px'`);
    expect((await settledTop(page)).top).to.be.greaterThan(1_000);
  });

  it('scroll to the heading of a guide that a link names', async () => {
    const page = await open('/docs/api#errors', { viewport: { width: 1440, height: 800 } });
    await page.locator('.guide #errors').waitFor();
    await page.waitForTimeout(1_000);
    const top = await page.evaluate<number>(`document.querySelector('#errors').getBoundingClientRect().top`);
    expect(top).to.be.within(0, headerHeight);
  });

  it('show commands with the address of the API, which can be pasted', async () => {
    const shown = new Reference(await open('/docs'));
    const products = await shown.choose('GET /v1/products');
    await products.execute();
    const texts = (await products.block.locator('.curl-command, .request-url').allInnerTexts()).join();
    expect(texts).to.include(`${served.apiUrl}/v1/products`).and.not.include(served.url);
    const [, address = '', key = ''] = /'(http\S+)'.*'Authorization: Bearer (\S+)'/s.exec(texts) ?? [];
    const pasted = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
    expect(pasted.status).to.equal(200);
  });

  it('show commands with the public address, where there is one', async () => {
    const other = await serve({ PUBLIC_URL: 'https://shop.example/api' });
    try {
      const shown = new Reference(await open('/docs', {}, other.url));
      const products = await shown.choose('GET /v1/products');
      expect((await products.execute()).status).to.equal(200);
      expect(await products.block.locator('.curl-command').innerText()).to.include(
        "'https://shop.example/api/v1/products'",
      );
    } finally {
      await other.close();
    }
  });

  it('fill in ids of the demonstration, so that no first request is 404', async () => {
    const shown = new Reference(await open('/docs'));
    await shown.page.waitForLoadState('networkidle');
    for (const name of [
      'GET /v1/products/{id}',
      'GET /v1/orders/{order_id}',
      'GET /v1/orders/{order_id}/items',
      'GET /v1/orders/{order_id}/items/{item_id}',
      'GET /v1/users/{user_id}',
      'GET /v1/users/{user_id}/orders',
      'GET /v1/reviews/{id}',
      'GET /v1/payments/{id}',
      'GET /v1/api-keys/{id}',
    ]) {
      const operation = await shown.choose(name);
      expect((await operation.execute()).status, name).to.equal(200);
      await operation.close();
    }
    // The demonstration's order is paid, and its item has a review.
    for (const name of ['POST /v1/payments', 'POST /v1/reviews']) {
      const operation = await shown.choose(name);
      expect((await operation.execute()).status, name).to.equal(409);
    }
  });

  it('say to replace an id that is only an example, where there is no demonstration', async () => {
    const own = 'an-operator-key-that-is-long-enough-for-all';
    const shop = await serve({ SEED_DEMO: '0', ADMIN_API_KEY: own });
    try {
      const document = await (await fetch(`${shop.url}/openapi.json`)).text();
      const [example = ''] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(document) ?? [];
      const shown = new Reference(await open('/docs', {}, shop.url));
      await shown.page.getByLabel('Your API key').fill(own);
      const product = await shown.choose('GET /v1/products/{id}');
      await product.parameter('id').fill(example);
      expect((await product.execute()).status).to.equal(404);
      expect(await product.outcome.innerText()).to.include('only an example. Replace it');
      await product.parameter('id').fill(example.replaceAll('a', 'b'));
      expect((await product.execute()).status).to.equal(404);
      expect(await product.outcome.innerText()).not.to.include('only an example');
    } finally {
      await shop.close();
    }
  });

  it('say what to check when a request is blocked, and what a page of one’s own needs', async () => {
    const shown = new Reference(await open('/docs'));
    const steps = shown.page.locator('.steps a', { hasText: 'allow its origin' });
    const products = await shown.choose('GET /v1/products');
    await shown.page.route('**/v1/products**', (route) => route.abort());
    await products.button.click();
    expect(await products.outcome.innerText()).to.match(/^No response\. .*Check that the server runs/);
    expect(await products.isOutcomeInViewport()).to.equal(true);
    const link = products.outcome.getByRole('link', { name: 'CORS settings' });
    expect(await link.getAttribute('href')).to.equal(await steps.getAttribute('href'));
    await link.click();
    await shown.page.locator('.guide h2#in-a-browser').waitFor();
  });

  it('have a page with links where there is none', async () => {
    for (const path of ['/docs/guides/first-oder', '/docs/none', '/swagger']) {
      for (const width of [1440, 390]) {
        const page = await open(path, { viewport: { width, height: 800 } });
        expect(await page.locator('h1').innerText()).to.equal('There is no such page');
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
        expect((await readControls(page)).unnamed).to.deep.equal([]);
        await page.locator('main a', { hasText: 'A first paid order' }).click();
        await page.waitForURL('**/docs/guides/first-order');
      }
    }
  });

  it('have a name for each control', async () => {
    const page = await open('/docs');
    const products = await new Reference(page).choose('GET /v1/products');
    await products.execute();
    await page.evaluate(openAll);
    // Rendering every operation takes long where other tests run beside.
    await page.locator('.opblock:not(.is-open)').first().waitFor({ state: 'detached', timeout: 60_000 });
    await page.waitForTimeout(1_000);
    const reference = await readControls(page);
    expect(reference.count).to.be.greaterThan(150);
    expect(reference.unnamed).to.deep.equal([]);
    await page.goto('/docs/guides/first-order');
    await page.locator('.copy').first().waitFor();
    expect((await readControls(page)).unnamed).to.deep.equal([]);
  });
});
