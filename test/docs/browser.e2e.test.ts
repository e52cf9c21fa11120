import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { Client } from '../http/support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { newReader, openBrowser, reasonToSkip, type Visit, visit } from './browser.ts';
import { Reference } from './reference.ts';

/** A script for the page that finds texts with too little contrast. */
const faint = readFileSync(new URL('faint.js', import.meta.url), 'utf8');

describe(`The docs page in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, function () {
  this.timeout(120_000);
  const place = temporaryFolder();
  let browser: Browser;
  /** Shared by most tests, so that files come from its cache. */
  let usual: BrowserContext;
  let server: Server;
  let port: string;
  let origin: string;
  let visits: Visit[] = [];

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    server = await startServer({
      DATABASE_URL: `sqlite:${place('shop.db')}`,
      SEED_DEMO: '1',
      ADMIN_API_KEY: '',
      OPS_PORT: port,
      ...environment,
    });
  };

  before(async function () {
    if (reasonToSkip) return this.skip();
    port = `${await freePort()}`;
    origin = `http://127.0.0.1:${port}`;
    browser = await openBrowser();
    usual = await newReader(browser, origin);
    await start();
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
  });
  afterEach(async () => {
    const problems = visits.flatMap((one) => one.problems);
    await Promise.all(visits.splice(0).map((one) => one.close()));
    expect(problems).to.deep.equal([]);
  });

  const read = async (options?: BrowserContextOptions): Promise<Visit> => {
    const one = await visit(options ? await newReader(browser, origin, options) : usual, origin);
    visits = [...visits, one];
    return one;
  };
  const reference = async (): Promise<Reference> => {
    const shown = new Reference((await read()).page);
    await shown.open();
    return shown;
  };

  it('leads a newcomer to a paid order, and a second click to the replay', async () => {
    const shown = await reference();
    const products = await (await shown.choose('GET /v1/products')).execute();
    expect(products.status).to.equal(200);
    const ordered = await (await shown.choose('POST /v1/orders')).execute();
    expect(ordered.status).to.equal(201);
    const payment = await shown.choose('POST /v1/payments');
    const paid = await payment.execute();
    expect([paid.status, paid.body.data.order_id]).to.deep.equal([201, ordered.body.data.id]);
    expect(paid.shown).not.to.include('idempotent-replayed');
    const again = await payment.execute();
    expect([again.status, again.body.data.id]).to.deep.equal([201, paid.body.data.id]);
    expect(again.shown).to.include('idempotent-replayed: true');
    expect(await payment.outcome.innerText()).to.match(/^201 .*replayed/);
    expect(await payment.isOutcomeInViewport()).to.equal(true);
  });

  it('replaces the key of an edited request, never a typed one, and generates keys on request', async () => {
    const shown = await reference();
    const order = await shown.choose('POST /v1/orders');
    const key = order.parameter('Idempotency-Key');
    const first = await key.inputValue();
    expect(first).to.match(/^[0-9a-f-]{36}$/);
    expect((await order.execute()).status).to.equal(201);
    const body = JSON.parse(await order.body.inputValue());
    await order.body.fill(JSON.stringify({ ...body, quantity: 1 }));
    expect((await order.execute()).status).to.equal(201);
    const second = await key.inputValue();
    expect(second)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(first);
    await order.block.getByRole('button', { name: 'New key' }).click();
    const third = await order.execute();
    expect(third.status).to.equal(201);
    expect(third.shown).not.to.include('idempotent-replayed');
    await key.fill(first);
    // The first key belongs to an order of two.
    expect((await order.execute()).status).to.equal(201);
    await key.fill('my-own-key');
    expect((await order.execute()).status).to.equal(201);
    await order.body.fill(JSON.stringify({ ...body, quantity: 3 }));
    expect((await order.execute()).body.error.code).to.equal('IDEMPOTENCY_KEY_REUSED');
  });

  it('sends every method, with the credentials that the reader chooses', async () => {
    const shown = await reference();
    const add = await shown.choose('POST /v1/products');
    expect((await add.execute()).body.error.code).to.equal('FORBIDDEN');
    await shown.actAs('Admin');
    const added = await add.execute();
    expect(added.status).to.equal(201);
    expect(added.shown).to.include('etag: "1"');

    const change = await shown.choose('PATCH /v1/products/{id}');
    expect(await change.parameter('id').inputValue()).to.equal(added.body.data.id);
    await change.parameter('If-Match').fill('"1"');
    expect((await change.execute()).body.data.version).to.equal(2);
    await change.body.fill('{"status": "archived"}');
    expect((await change.execute()).body.error.code).to.equal('PRECONDITION_FAILED');
    await change.parameter('If-Match').fill('"2"');
    expect((await change.execute()).body.data.status).to.equal('archived');

    const replace = await shown.choose('PUT /v1/products/{id}');
    expect((await replace.execute()).body.data.version).to.equal(4);

    const remove = await shown.choose('DELETE /v1/products/{id}');
    expect(await remove.parameter('id').inputValue()).to.equal('');
    await remove.parameter('id').fill(added.body.data.id);
    expect((await remove.execute()).status).to.equal(204);
    expect((await (await shown.choose('GET /v1/products/{id}')).execute()).status).to.equal(404);
  });

  it('fills in ids of earlier responses, but never over what was typed', async () => {
    const shown = await reference();
    const show = await shown.choose('GET /v1/products/{id}');
    const order = await shown.choose('POST /v1/orders');
    const listed = await (await shown.choose('GET /v1/products')).execute();
    const [first, second, third] = listed.body.data.map(({ id }: { readonly id: string }) => id);
    const carried = () => order.body.inputValue().then((text) => JSON.parse(text).product_id);
    expect([await show.parameter('id').inputValue(), await carried()]).to.deep.equal([first, first]);
    await show.parameter('id').fill(second);
    await show.execute();
    expect(await carried()).to.equal(second);
    await order.body.fill(JSON.stringify({ product_id: first, quantity: 1 }));
    await show.parameter('id').fill('');
    await show.parameter('id').fill(third);
    await show.execute();
    expect(await carried()).to.equal(first);
    await show.parameter('id').fill('');
    await (await shown.choose('GET /v1/products')).execute();
    expect(await show.parameter('id').inputValue()).to.equal('');
  });

  it('has a key filled in after a restart, too', async () => {
    await server.program.kill();
    await start();
    expect(server.program.output).not.to.include('ptc_');
    const shown = await reference();
    expect((await (await shown.choose('GET /v1/orders')).execute()).status).to.equal(200);
  });

  it('renews its keys when the server is restarted while it is open', async () => {
    const orders = await (await reference()).choose('GET /v1/orders');
    await server.program.kill();
    await start();
    expect((await orders.execute()).status).to.equal(401);
    expect(await orders.outcome.innerText()).to.include('Execute it once more.');
    expect((await orders.execute()).status).to.equal(200);
  });

  it('links to the next step beside a response', async () => {
    const shown = await reference();
    const products = await shown.choose('GET /v1/products');
    await products.execute();
    await products.outcome.getByRole('link', { name: 'Order it' }).click();
    await shown.page.locator('.opblock-post.is-open [data-path="/v1/orders"]').waitFor();
  });

  it('accepts the reader’s own key, and stores it nowhere', async () => {
    const shown = await reference();
    const users = await shown.choose('GET /v1/users');
    expect((await users.execute()).status).to.equal(403);
    await shown.actAs('Own key');
    expect((await users.execute()).status).to.equal(401);
    const { body: keys } = await new Client(() => origin, undefined).get('/docs/keys.json');
    await shown.page.getByLabel('Your API key').fill(keys.admin);
    expect((await users.execute()).status).to.equal(200);
    const kept = await shown.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).to.equal('[{},{},""]');
  });

  it('opens the operation that a link names', async () => {
    const { page } = await read();
    await page.goto('/docs');
    await page.locator('.steps a', { hasText: 'Pay' }).click();
    await page.locator('.opblock.is-open textarea').waitFor();
    const { hash } = new URL(page.url());
    expect(hash).to.equal('#POST/v1/payments');
    const other = (await read()).page;
    await other.goto(`/docs${hash}`);
    await other.locator('.opblock-post.is-open [data-path="/v1/payments"]').waitFor();
  });

  it('can be used by the keyboard alone', async () => {
    const { page } = await reference();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('To the content');
    const operation = page.locator('.opblock-get:has([data-path="/v1/products"])').first();
    await operation.locator('.opblock-summary-control').focus();
    await page.keyboard.press('Enter');
    const execute = operation.getByRole('button', { name: 'Execute' });
    await execute.waitFor();
    const focused = operation.locator('.execute:focus');
    for (let presses = 0; presses < 30; presses += 1) {
      if ((await focused.count()) > 0) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await operation.locator('.live-responses-table', { hasText: '200' }).waitFor();
  });

  it('shows guides whose examples can be copied, with this reader’s address and key in them', async () => {
    const { page } = await read({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/docs/guides/first-order');
    await page.locator('.copy').first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, api = '', key = ''] = /^API=(\S+)\nKEY=(ptc_\S+)$/.exec(copied) ?? [];
    expect(api).to.equal(`${server.client.base}/v1`);
    const orders = await fetch(`${api}/orders`, { headers: { Authorization: `Bearer ${key}` } });
    expect(orders.status).to.equal(200);
  });

  it('fits into a narrow window and a wide one', async () => {
    const { page } = await read({ viewport: { width: 320, height: 800 } });
    for (const path of ['/docs', '/docs/guides/first-order', '/docs/guides/errors', '/docs/api']) {
      await page.goto(path);
      if (path === '/docs') {
        await page.locator('.steps a', { hasText: 'Order it' }).click();
        await page.locator('.opblock.is-open .execute').click();
        await page.locator('.live-responses-table').waitFor();
      }
      for (const width of [320, 390, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const needed = await page.evaluate('document.documentElement.scrollWidth');
        expect(needed, `${path} at ${width}`).to.equal(width);
      }
      await page.setViewportSize({ width: 320, height: 800 });
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has enough contrast in its texts (${colorScheme})`, async () => {
      const { page } = await read({ colorScheme });
      for (const path of ['/docs', '/docs/guides/errors']) {
        await page.goto(path);
        if (path === '/docs') {
          await page.locator('.steps a', { hasText: 'Order it' }).click();
          await page.locator('.opblock.is-open .execute').click();
          await page.locator('.live-responses-table').waitFor();
        }
        expect(await page.evaluate<string[]>(faint), path).to.deep.equal([]);
      }
    });
  }

  it('is read-only beyond a loopback address', async () => {
    await server.program.kill();
    await start({ OPS_HOST: '0.0.0.0' });
    const { page } = await read();
    await page.goto('/docs');
    await page.locator('.opblock-summary-control', { hasText: 'Pay an order' }).click();
    await page.locator('.opblock.is-open .responses-table').waitFor();
    expect(await page.locator('.note').innerText()).to.include('read, not sent');
    expect(await page.getByRole('button', { name: 'Execute' }).count()).to.equal(0);
    expect(await page.locator('#caller').isVisible()).to.equal(false);
  });

  it('works without a demonstration, with a field for a key, whatever address clients use', async () => {
    await server.program.kill();
    const settings = { SEED_DEMO: '0', PUBLIC_URL: 'https://shop.example' };
    await start({ ...settings, ADMIN_API_KEY: server.client.token ?? '' });
    const shown = await reference();
    expect(await shown.page.locator('#callers').isVisible()).to.equal(false);
    await shown.page.getByLabel('Your API key').fill(server.client.token ?? '');
    expect((await (await shown.choose('GET /v1/users')).execute()).status).to.equal(200);
  });
});
