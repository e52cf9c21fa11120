import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { BrowserContextOptions } from 'playwright-core';
import { accessibilityProblems } from '../admin/fixture.ts';
import { until } from '../support/until.ts';
import { reasonToSkip } from './browser.ts';
import { readingRoom } from './reading-room.ts';

/** A script for the page that finds texts with too little contrast. */
const faint = readFileSync(new URL('faint.js', import.meta.url), 'utf8');

describe(`The reference in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  const room = readingRoom();

  it('leads a newcomer to a paid order by clicks, and a second click to the replay', async () => {
    const reference = await room.open();
    const { page } = reference;
    await page.goto('/docs');
    await page.locator('.steps a', { hasText: 'Find a product' }).click();
    const products = reference.operation('listProducts');
    await products.button('Try it').click();
    expect((await products.send()).status).to.equal(200);
    await page.getByRole('link', { name: 'Order it' }).click();
    const ordered = await reference.operation('createOrder').send();
    expect(ordered.status).to.equal(201);
    await page.getByRole('link', { name: 'Pay it' }).click();
    const payment = reference.operation('createPayment');
    const paid = await payment.send();
    expect([paid.status, paid.body.data.order_id]).to.deep.equal([201, ordered.body.data.id]);
    expect(paid.outcome).to.include('It was created.');
    expect(paid.shown).not.to.include('Idempotent-Replayed');
    const again = await payment.send();
    expect([again.status, again.body.data.id]).to.deep.equal([201, paid.body.data.id]);
    expect(again.shown).to.match(/Idempotent-Replayed\s+true/);
    expect(again.outcome).to.include('replayed. Nothing was executed again.');
    expect(await payment.isOutcomeInViewport()).to.equal(true);
    await page.getByRole('link', { name: 'Look it up' }).click();
    expect((await reference.operation('getPayment').send()).body.data.id).to.equal(paid.body.data.id);
  });

  it('leads there by the keyboard alone', async () => {
    const reference = await room.open();
    const { page } = reference;
    const press = (key: string) => page.keyboard.press(key);
    /** Tabs to a control. @param name what a screen reader says, or how it begins */
    const tabTo = async (name: string): Promise<void> => {
      const met: string[] = [];
      for (let presses = 0; presses < 80; presses += 1) {
        await press('Tab');
        const focused = await page.evaluate<string>(
          '(({ ariaLabel, textContent }) => (ariaLabel ?? textContent).trim())(document.activeElement)',
        );
        if (focused.startsWith(name)) return;
        met.push(focused.slice(0, 30));
      }
      throw new Error(`The Tab key never came to ${name}, but to ${met.join(', ')}.`);
    };
    await page.goto('/docs/reference/products');
    await reference.operation('listProducts').button('Try it').waitFor();
    await tabTo('To the content');
    await press('Enter');
    await tabTo('Try it: List products');
    await press('Enter');
    await tabTo('Send');
    expect((await reference.operation('listProducts').send(() => press('Enter'))).status).to.equal(200);
    await tabTo('Order it');
    await press('Enter');
    const order = reference.operation('createOrder');
    await order.button('Send').waitFor();
    await order.section.locator('.try-it :focus').waitFor();
    const ordered = await order.send(() => press('Control+Enter'));
    expect(ordered.status).to.equal(201);
    await tabTo('Pay it');
    await press('Enter');
    const payment = reference.operation('createPayment');
    await payment.section.locator('.try-it :focus').waitFor();
    const paid = await payment.send(() => press('Control+Enter'));
    expect(paid.body.data.order_id).to.equal(ordered.body.data.id);
    expect((await payment.send(() => press('Control+Enter'))).outcome).to.include('replayed');
    await tabTo('Close');
    await press('Enter');
    await until(
      () => page.evaluate('document.activeElement.ariaLabel'),
      (label) => label === 'Try it: Pay an order',
    );
  });

  it('shows the request before it is sent, with the reader’s key and the demonstration’s ids', async () => {
    const reference = await room.open();
    const order = await reference.find('POST /v1/orders');
    const { customer, admin } = await room.keys();
    await reference.idsAreKnown();
    // Nothing has been opened yet.
    const sample = await order.sample();
    expect(sample).to.include(`Authorization: Bearer ${customer}`).and.include('/v1/orders');
    const products = await room.get('/v1/products', customer);
    expect(products.data.map(({ id }: { readonly id: string }) => id)).to.include(
      /"product_id": "([^"]+)"/.exec(sample)?.[1],
    );
    await order.button('Try it').click();
    await order.actAs('Admin');
    expect(await order.sample()).to.include(`Bearer ${admin}`);
    await order.fill('Idempotency-Key', "it's-mine");
    await order.body.fill(`{"product_id": "<b>'x'</b>", "quantity": 3}`);
    expect(await order.sample())
      .to.include(`-H 'Idempotency-Key: it'\\''s-mine'`)
      .and.include('"quantity": 3');
    expect(await order.sample('TypeScript')).to.include(`product_id: '<b>\\'x\\'</b>', quantity: 3`);
    expect(await order.sample('Python')).to.include(`"product_id": "<b>'x'</b>"`);
    await (await order.parameter('expand')).selectOption('items');
    expect(await order.sample('TypeScript')).to.include(`query: { expand: 'items' }`);
    const list = await reference.choose('GET /v1/products');
    await list.fill('q', 'a b&c');
    await list.fill('limit', '2');
    expect(await list.sample()).to.include('/v1/products?q=a+b%26c&limit=2');
    expect(await list.sample('TypeScript')).to.include(`q: 'a b&c', limit: 2`);
  });

  it('sends what its sample shows', async () => {
    const reference = await room.open();
    const order = await reference.choose('POST /v1/orders');
    await reference.idsAreKnown();
    await order.body.fill(
      (await order.body.inputValue()).replace(/"quantity": .*/, '"quantity": 1, "note": "\\u00e9"'),
    );
    const sample = await order.sample();
    const sending = reference.page.waitForRequest((request) => request.method() === 'POST');
    await order.send();
    const sent = await sending;
    const headers = await sent.allHeaders();
    for (const name of ['Authorization', 'Idempotency-Key', 'Content-Type'])
      expect(sample).to.include(`${name}: ${headers[name.toLowerCase()]}`);
    const [, body = ''] = /-d '(.*)'$/s.exec(sample) ?? [];
    expect(JSON.parse(body)).to.deep.equal(sent.postDataJSON());
  });

  it('replaces the key of an edited request, never a typed one, and generates keys on request', async () => {
    const reference = await room.open();
    const order = await reference.choose('POST /v1/orders');
    await reference.idsAreKnown();
    const keyNow = () => order.valueOf('Idempotency-Key');
    const first = await keyNow();
    expect(first).to.match(/^[0-9a-f]{32}$/);
    const { id } = (await order.send()).body.data;
    expect(await keyNow()).to.equal(first);
    const body = JSON.parse(await order.body.inputValue());
    await order.body.fill(JSON.stringify({ ...body, quantity: 1 }));
    const second = await keyNow();
    expect(second)
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(first);
    const other = await order.send();
    expect([other.status, other.body.data.id === id]).to.deep.equal([201, false]);
    // The first request again, with its key.
    await order.body.fill(JSON.stringify(body));
    expect(await keyNow()).to.equal(first);
    expect((await order.send()).body.data.id).to.equal(id);
    await order.button('New key').click();
    expect([first, second]).not.to.include(await keyNow());
    expect((await order.send()).outcome).not.to.include('replayed');
    await order.fill('Idempotency-Key', 'my-own-key');
    expect((await order.send()).status).to.equal(201);
    await order.body.fill(JSON.stringify({ ...body, quantity: 3 }));
    const reused = await order.send();
    expect(reused.body.error.code).to.equal('IDEMPOTENCY_KEY_REUSED');
    expect(reused.outcome).to.include('IDEMPOTENCY_KEY_REUSED');
    expect(await keyNow()).to.equal('my-own-key');
  });

  it('sends every method, in the role that the reader chooses', async () => {
    const reference = await room.open();
    const add = await reference.choose('POST /v1/products');
    const rejected = await add.send();
    expect(rejected.outcome).to.match(/^403\s+This key may not do that\..*FORBIDDEN/);
    await add.actAs('Admin');
    const added = await add.send();
    expect(added.status).to.equal(201);
    expect(added.shown).to.match(/ETag\s+"1"/);

    const change = await reference.choose('PATCH /v1/products/{id}');
    expect(await change.valueOf('id')).to.equal(added.body.data.id);
    await change.fill('If-Match', '"1"');
    expect((await change.send()).body.data.version).to.equal(2);
    await change.body.fill('{"status": "archived"}');
    const stale = await change.send();
    expect(stale.outcome).to.match(/^412\s+It has another version.*PRECONDITION_FAILED/);
    await change.fill('If-Match', '"2"');
    expect((await change.send()).body.data.status).to.equal('archived');

    const replace = await reference.choose('PUT /v1/products/{id}');
    expect((await replace.send()).body.data.version).to.equal(4);

    const show = await reference.choose('GET /v1/products/{id}');
    const { shown } = await show.send();
    await show.fill('If-None-Match', /ETag\s+(\S+)/.exec(shown)?.[1] ?? '');
    expect((await show.send()).outcome).to.match(/^304\s+You have the latest version already/);

    const remove = await reference.choose('DELETE /v1/products/{id}');
    // A reader must name what to delete.
    expect(await remove.valueOf('id')).to.equal('');
    await remove.button('Send').click();
    expect(await remove.outcome.innerText()).to.equal('');
    expect(await remove.sample()).to.include('/v1/products/PRODUCT_ID');
    await remove.fill('id', added.body.data.id);
    expect((await remove.send()).outcome).to.match(/^204\s+It worked\. This response has no body\./);
    await show.fill('If-None-Match', '');
    expect((await show.send()).outcome).to.match(/^404\s+There is no such thing/);
  });

  it('says in words which fields do not fit, and sends nothing that is not JSON', async () => {
    const reference = await room.open();
    const order = await reference.choose('POST /v1/orders');
    await reference.idsAreKnown();
    await order.body.fill('{"quantity": -1}');
    const { outcome } = await order.send();
    expect(outcome).to.match(/^422\s+A value does not fit\..*VALIDATION_ERROR/);
    expect(await order.section.locator('.faults').innerText()).to.match(/quantity must be/);
    await order.body.fill('{"quantity": ');
    await order.section
      .locator('.problem')
      .getByText(/^This is not JSON: /)
      .waitFor();
    let requests = 0;
    reference.page.on('request', () => {
      requests += 1;
    });
    await order.button('Send').click();
    await order.section.locator('textarea:focus').waitFor();
    expect(await order.sample()).to.include('"quantity": -1');
    expect(requests).to.equal(0);
  });

  it('fills in ids of earlier responses, but never over what was typed', async () => {
    const reference = await room.open();
    const show = await reference.choose('GET /v1/products/{id}');
    const listed = await (await reference.choose('GET /v1/products')).send();
    const [first, second, third] = listed.body.data.map(({ id }: { readonly id: string }) => id);
    expect(await show.valueOf('id')).to.equal(first);
    await show.fill('id', second);
    await show.send();
    await show.fill('id', '');
    await (await reference.choose('GET /v1/products')).send();
    expect(await show.valueOf('id')).to.equal('');
    await show.fill('id', third);
    await show.send();
    const order = await reference.choose('POST /v1/orders');
    const carried = async () => JSON.parse(await order.body.inputValue()).product_id;
    expect(await carried()).to.equal(third);
    await order.body.fill(JSON.stringify({ product_id: first, quantity: 1 }));
    const items = await reference.choose('GET /v1/orders');
    await items.send();
    expect(await carried()).to.equal(first);
  });

  const looks: readonly BrowserContextOptions[] = [
    { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  ];
  for (const look of looks) {
    it(`can be read by everyone (${look.viewport?.width} px, ${look.colorScheme})`, async () => {
      const reference = await room.open(look);
      const { page } = reference;
      const payment = await reference.choose('GET /v1/products');
      await payment.send();
      await payment.section.locator('summary', { hasText: 'Optional parameters' }).click();
      const create = await reference.choose('POST /v1/products');
      await create.send();
      await create.body.fill('{');
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(look.viewport?.width);
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has enough contrast in its texts, fits into every window (${colorScheme})`, async () => {
      const reference = await room.open({ colorScheme });
      const { page } = reference;
      await (await reference.choose('POST /v1/orders')).send();
      expect(await page.evaluate<string[]>(faint)).to.deep.equal([]);
      for (const width of [320, 390, 820, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).to.equal(width);
      }
      await page.goto('/docs/guides/errors');
      expect(await page.evaluate<string[]>(faint)).to.deep.equal([]);
    });
  }

  it('keeps a response while its form is closed, and copies it', async () => {
    const reference = await room.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const products = await reference.choose('GET /v1/products');
    const { body, shown } = await products.send();
    await products.button('Close').click();
    await products.button('Try it').click();
    expect(await products.section.locator('.received').innerText()).to.equal(shown);
    await products.section.getByRole('button', { name: 'Copy the response' }).click();
    await reference.page.getByText('Response copied.').waitFor();
    const copied = await reference.page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(copied)).to.deep.equal(body);
  });

  it('shows texts of strangers as texts', async () => {
    const hostile = `<img src=x onerror="document.title='hacked'"></textarea><script>alert(1)</script>`;
    const reference = await room.open();
    const add = await reference.choose('POST /v1/products');
    await add.actAs('Admin');
    await add.body.fill(
      JSON.stringify({ name: hostile, price: { amount: 1, currency: 'EUR' }, sku: hostile.slice(0, 30) }),
    );
    const added = await add.send();
    expect(added.shown).to.include(JSON.stringify(hostile));
    for (const language of ['curl', 'TypeScript', 'Python'] as const)
      expect(await add.sample(language)).to.include('<script>alert(1)</script>');
    await add.body.fill(JSON.stringify({ [hostile]: hostile, price: hostile }));
    expect((await add.send()).status).to.equal(422);
    expect(await add.section.locator('.faults').innerText()).to.include('price');
    const elements = '.try-it img, .try-it script, .samples img, .samples script';
    expect(await reference.page.locator(elements).count()).to.equal(0);
    expect(await reference.page.title()).not.to.equal('hacked');
  });
});
