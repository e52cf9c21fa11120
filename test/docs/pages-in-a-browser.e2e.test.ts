import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { newReader, type OpenBrowser, openBrowser, reasonToSkip, type Visit, visit } from './browser.ts';
import { readControls } from './controls.ts';
import { Reference } from './reference.ts';

describe(`The pages for a public host${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  let server: Server;
  let browser: OpenBrowser;
  let origin: string;
  let reader: Visit;

  before(async function () {
    if (reasonToSkip) return this.skip();
    const port = `${await freePort()}`;
    origin = `http://127.0.0.1:${port}`;
    server = await startServer({
      DATABASE_URL: 'memory:',
      SEED_DEMO: '1',
      PAGES_HOST: '127.0.0.1',
      PAGES_PORT: port,
    });
    browser = await openBrowser();
    // It also reports each request to another origin.
    reader = await visit(await newReader(browser, origin), origin);
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
  });

  it('send a request by clicks to the API on their own origin, with the reader’s key', async () => {
    const reference = new Reference(reader.page);
    const products = await reference.choose('GET /v1/products');
    expect(await products.section.locator('.callers').count()).to.equal(0);
    expect((await products.send()).status).to.equal(401);
    await reader.page.getByLabel('Your API key').fill(server.client.token ?? '');
    const listed = await products.send();
    expect(listed.status).to.equal(200);
    expect(listed.body.data).to.have.length.of.at.least(1);
    await products.outcome.getByRole('link', { name: 'Order it' }).click();
    const ordered = await reference.operation('createOrder').send();
    expect(ordered.status).to.equal(201);
    const paid = await (await reference.choose('POST /v1/payments')).send();
    expect([paid.status, paid.body.data.order_id]).to.deep.equal([201, ordered.body.data.id]);
    expect(reader.problems).to.deep.equal([]);
  });

  it('have a page for a mistyped address, while programs get the API’s response', async () => {
    const page = await reader.page.goto('/doc');
    expect(page?.status()).to.equal(404);
    expect(await reader.page.locator('h1').innerText()).to.equal('There is no such page');
    expect((await readControls(reader.page)).unnamed).to.deep.equal([]);
    await reader.page.getByRole('link', { name: 'API reference' }).click();
    await reader.page.getByRole('heading', { name: 'All operations' }).waitFor();
    expect((await fetch(`${origin}/doc`)).status).to.equal(401);
  });
});
