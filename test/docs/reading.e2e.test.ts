import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { accessibilityProblems } from '../admin/fixture.ts';
import { until } from '../support/until.ts';
import { newReader, type OpenBrowser, openBrowser, reasonToSkip } from './browser.ts';
import { readControls } from './controls.ts';
import { Reference } from './reference.ts';
import { type Served, serve } from './served.ts';
import { settledTop } from './settled-top.ts';

/** In pixels: the height of the header, with room for the margin below it. */
const headerHeight = 120;

const faint = readFileSync(new URL('faint.js', import.meta.url), 'utf8');

const pagesOfAllKinds = [
  '/docs',
  '/docs/reference/orders',
  '/docs/reference/webhooks',
  '/docs/guides/paging',
];

describe(`The docs, read in a browser,${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let browser: OpenBrowser;
  let served: Served;
  const pages: Page[] = [];

  const open = async (path: string, options: BrowserContextOptions = {}, url = served.url): Promise<Page> => {
    const page = await (await newReader(browser, url, options)).newPage();
    pages.push(page);
    await page.goto(path);
    return page;
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

  for (const width of [1440, 390]) {
    it(`scroll to what a link names, also after a load (${width} px)`, async () => {
      const viewport = { width, height: 800 };
      for (const [path, selector] of [
        ['/docs/reference/orders#updateOrder', '#updateOrder'],
        ['/docs/reference/api-keys#deleteApiKey', '#deleteApiKey'],
        ['/docs/reference/orders#object-Order.total', '[id="object-Order.total"]'],
        ['/docs#error-RATE_LIMITED', '#error-RATE_LIMITED'],
        ['/docs/api#errors', '.guide #errors'],
      ] as const) {
        const page = await open(path, { viewport });
        expect(await settledTop(page, selector), path).to.be.within(0, headerHeight);
      }
    });
  }

  it('open what a link names where it is folded', async () => {
    const page = await open('/docs/reference/orders#object-Order.total.amount');
    expect(await settledTop(page, '[id="object-Order.total.amount"]')).to.be.within(0, headerHeight);
  });

  it('lead links of earlier versions to the operation', async () => {
    for (const [hash, target] of [
      ['#POST/v1/orders', '/docs/reference/orders#createOrder'],
      ['#GET/v1/orders/{order_id}', '/docs/reference/orders#getOrder'],
      ['#GET/v1/orders/%7Border_id%7D/items', '/docs/reference/orders#listOrderItems'],
    ]) {
      const page = await open(`/docs${hash}`);
      await page.waitForURL(`**${target}`);
      expect(await settledTop(page, `#${target?.split('#')[1]}`), hash).to.be.within(0, headerHeight);
    }
    const page = await open('/docs');
    await page.evaluate(`location.hash = '#DELETE/v1/products/{id}'`);
    await page.waitForURL('**/docs/reference/products#deleteProduct');
  });

  it('are whole without JavaScript', async () => {
    const page = await open('/docs', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'POST Create an order' }).click();
    await page.waitForURL('**/docs/reference/orders#createOrder');
    const operation = page.locator('#createOrder');
    const sample = operation.locator('.samples pre:visible');
    // An operation has no text until the browser has scrolled to it, which may be after the address has changed.
    await until(
      () => sample.innerText(),
      (text) => text !== '',
    );
    expect(await sample.innerText()).to.include(`curl '${served.apiUrl}/v1/orders'`);
    for (const [language, text] of [
      ['Python', 'import'],
      ['TypeScript', 'await'],
    ] as const) {
      await operation.locator('.languages label', { hasText: language }).click();
      expect(await sample.innerText())
        .to.include(text)
        .and.not.include('curl');
    }
    const address = operation.locator(
      '[id="createOrder.body.new-order-of-product.shipping_address.country"]',
    );
    expect(await address.isVisible()).to.equal(false);
    await operation.locator('summary', { hasText: 'Fields of shipping_address' }).first().click();
    expect(await address.innerText()).to.include('An ISO 3166-1 alpha-2 code, or');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments', exact: true }).waitFor();
  });

  it('are no wider than the window, which becomes wider and wider', async () => {
    for (const path of pagesOfAllKinds) {
      const page = await open(path, { viewport: { width: 390, height: 900 } });
      for (const width of [390, 768, 1440, 2200]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(
          `for (const folded of document.querySelectorAll('main details')) folded.open = true`,
        );
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${path} ${width}`).to.equal(
          width,
        );
      }
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`can be read by everyone (${colorScheme})`, async () => {
      for (const path of ['/docs', '/docs/reference/refunds', '/docs/reference/webhooks']) {
        const page = await open(path, { colorScheme, viewport: { width: 1440, height: 900 } });
        await page.waitForLoadState('networkidle');
        await page.evaluate(
          `for (const folded of document.querySelectorAll('main details')) folded.open = true`,
        );
        expect(await page.evaluate(faint), path).to.deep.equal([]);
        expect(await accessibilityProblems(page), path).to.deep.equal([]);
        expect((await readControls(page)).unnamed, path).to.deep.equal([]);
      }
    });
  }

  it('are readable on paper, from a dark screen, too', async () => {
    const page = await open('/docs/reference/orders', { colorScheme: 'dark' });
    await page.waitForLoadState('networkidle');
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await page.locator('.contents').isVisible()).to.equal(false);
    expect(await page.evaluate(faint)).to.deep.equal([]);
    const code = page.locator('#createOrder .example pre');
    expect(
      await code.evaluate(
        (element) => (element as unknown as { scrollHeight: number; clientHeight: number }).scrollHeight,
      ),
    ).to.equal(
      await code.evaluate((element) => (element as unknown as { clientHeight: number }).clientHeight),
    );
  });

  it('show requests with the public address of the API, where there is one', async () => {
    const other = await serve({ PUBLIC_URL: 'https://shop.example/api' });
    try {
      const shown = new Reference(await open('/docs', {}, other.url));
      const products = await shown.choose('GET /v1/products');
      expect((await products.send()).status).to.equal(200);
      expect(await products.sample()).to.include("'https://shop.example/api/v1/products'");
    } finally {
      await other.close();
    }
  });

  it('show commands that can be pasted', async () => {
    const shown = new Reference(await open('/docs'));
    const products = await shown.choose('GET /v1/products');
    const texts = await products.sample();
    expect(texts).to.include(`${served.apiUrl}/v1/products`).and.not.include(served.url);
    const [, address = '', key = ''] = /'(http\S+)'.*'Authorization: Bearer (\S+)'/s.exec(texts) ?? [];
    const pasted = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
    expect(pasted.status).to.equal(200);
  });

  it('have a page with links where there is none', async () => {
    for (const path of ['/docs/guides/first-oder', '/docs/none', '/swagger']) {
      for (const width of [1440, 390]) {
        const page = await open(path, { viewport: { width, height: 800 } });
        expect(await page.locator('h1').innerText()).to.equal('There is no such page');
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
        expect((await readControls(page)).unnamed).to.deep.equal([]);
        await page.locator('main a', { hasText: 'A first paid order' }).last().click();
        await page.waitForURL('**/docs/guides/first-order');
      }
    }
  });
});
