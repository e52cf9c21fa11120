import { expect } from 'chai';
import { reasonToSkip } from './browser.ts';
import { readingRoom } from './reading-room.ts';

/** An id of an example that the demonstration has nothing for. */
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe(`The keys of the reference${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  const room = readingRoom();

  it('are filled in after a restart, and renewed when it happens while the page is open', async () => {
    const reference = await room.open();
    const orders = await reference.choose('GET /v1/orders');
    expect((await orders.send()).status).to.equal(200);
    await room.restart();
    expect(room.server().program.output).not.to.include('ptc_');
    const rejected = await orders.send();
    expect(rejected.outcome).to.match(/^401\s+The key is missing, unknown or revoked\..*Send it once more\./);
    expect((await orders.send()).status).to.equal(200);
    const other = await (await room.open()).choose('GET /v1/orders');
    expect((await other.send()).status).to.equal(200);
  });

  it('can be the reader’s own, for the tab only, and in no address', async () => {
    const { page: first } = await room.visit({});
    const reference = await room.open({});
    const { page } = reference;
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const users = await reference.choose('GET /v1/users');
    expect((await users.send()).status).to.equal(403);
    await users.actAs('Own key');
    expect((await users.send()).outcome).to.match(/^401\s.*Give your API key above\./);
    const { admin } = await room.keys();
    await page.getByLabel('Your API key').fill(` ${admin} `);
    expect((await users.send()).status).to.equal(200);
    // It is there on the next page of this tab.
    const orders = await reference.choose('GET /v1/orders');
    expect((await orders.send()).status).to.equal(200);
    expect(await orders.sample()).to.include(admin);
    const lasting = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])');
    expect(lasting).not.to.include('ptc_');
    expect(addresses.join()).not.to.include('ptc_');
    await first.goto('/docs/reference/users');
    expect(await first.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.to.include(admin);
  });

  it('and ids of the demonstration leave no first request without its resource', async () => {
    const reference = await room.open();
    await reference.find('GET /v1/orders');
    await reference.idsAreKnown();
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
      expect((await (await reference.choose(name)).send()).status, name).to.equal(200);
    }
    // The demonstration's order is paid, and its item has a review.
    for (const name of ['POST /v1/payments', 'POST /v1/reviews']) {
      const { outcome } = await (await reference.choose(name)).send();
      expect(outcome, name).to.match(/^409\s+It does not fit to what has happened before\./);
    }
  });

  it('are asked for where there is no demonstration, whatever address clients use', async () => {
    const own = room.server().client.token ?? '';
    await room.restart({ SEED_DEMO: '0', PUBLIC_URL: 'https://shop.example/api', ADMIN_API_KEY: own });
    const reference = await room.open();
    const users = await reference.choose('GET /v1/users');
    expect(await users.section.locator('.callers').count()).to.equal(0);
    expect(await users.sample()).to.include('YOUR_API_KEY');
    await reference.page.getByLabel('Your API key').fill(own);
    expect((await users.send()).status).to.equal(200);
    for (const [language, address] of [
      ['curl', `'https://shop.example/api/v1/users'`],
      ['TypeScript', `url: 'https://shop.example/api'`],
    ] as const)
      expect(await users.sample(language)).to.include(address);
  });

  it('cannot replace an id that is only an example: the page says so', async () => {
    await room.restart({
      SEED_DEMO: '0',
      DATABASE_URL: 'memory:',
      ADMIN_API_KEY: `own-key-${'x'.repeat(40)}`,
    });
    const reference = await room.open();
    const product = await reference.choose('GET /v1/products/{id}');
    await reference.page.getByLabel('Your API key').fill(`own-key-${'x'.repeat(40)}`);
    expect((await product.send()).outcome).to.match(/^404\s.*only an example\. Replace it/);
    const [example = ''] = uuid.exec(await product.valueOf('id')) ?? [];
    await product.fill('id', example.replaceAll('a', 'b'));
    expect((await product.send()).outcome)
      .to.match(/^404\s/)
      .and.not.include('only an example');
  });

  it('are not asked for where the page cannot send', async () => {
    await room.restart({ OPS_HOST: '0.0.0.0' });
    const reference = await room.open();
    const order = await reference.find('POST /v1/orders');
    await order.button('Fill in').click();
    expect(await order.section.locator('.request').innerText()).to.include('This page cannot send requests.');
    expect(await order.button('Send').count()).to.equal(0);
    expect(await order.section.locator('.callers, [name="own-key"]').count()).to.equal(0);
    await order.body.fill('{"quantity": 7}');
    expect(await order.sample())
      .to.include('{"quantity": 7}')
      .and.include('YOUR_API_KEY');
  });

  it('are of no use without a server: the page says what to check', async () => {
    await room.restart();
    const reference = await room.open();
    const products = await reference.choose('GET /v1/products');
    await reference.idsAreKnown();
    await reference.page.route('**/v1/products**', (route) => route.abort('aborted'));
    await products.button('Send').click();
    await products.outcome.getByText('No response.').waitFor();
    expect(await products.outcome.innerText()).to.include('Check that the server runs');
    expect(await products.isOutcomeInViewport()).to.equal(true);
    const link = products.outcome.getByRole('link', { name: 'CORS settings' });
    await link.click();
    await reference.page.locator('.guide #in-a-browser').waitFor();
  });
});
