import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdminInEachWay, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems, rowsAre } from './fixture.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdminInEachWay('Products on the admin page', (admin) => {
  const create = async (fields: object = {}): Promise<Json> => {
    const body = { name: 'Kettle', price: { amount: 2400, currency: 'EUR' }, stock: 10, ...fields };
    return (await admin.client.post('/v1/products', body)).body.data;
  };
  const product = async (id: string): Promise<Json> =>
    (await admin.client.get(`/v1/products/${id}`)).body.data;
  /** Opens the editor of a value, and waits until it has read the value again. */
  const edit = async (field: 'price' | 'stock', id: string) => {
    const { page } = admin;
    const read = page.waitForResponse((response) => response.url().endsWith(`/v1/products/${id}`));
    await pressByKeyboard(page.locator(`#edit-${field}-${id}`));
    await read;
    return page.locator(`#input-${field}-${id}`);
  };
  const rowOf = (id: string) => admin.page.locator('tr', { has: admin.page.locator(`#edit-price-${id}`) });
  const names = async (query: string): Promise<string[]> =>
    (await admin.client.get(`/v1/products?sort=-id&limit=25&${query}`)).body.data.map(
      ({ name }: Json) => name,
    );
  const untilListed = async (query: string) => {
    await rowsAre(admin.page, await names(query));
  };

  it('are listed with the newest first, and found by status, words and tag', async () => {
    await create({ name: `${hostile}${'long'.repeat(30)}`, status: 'draft', tags: ['tea', 'fragile'] });
    const page = await admin.open('/products', { viewport: phone.viewport });
    await page.getByRole('link', { name: hostile }).waitFor();
    await untilListed('');
    await admin.press(page.getByRole('link', { name: 'Draft', exact: true }));
    await page.locator('a[aria-current=true]', { hasText: 'Draft' }).waitFor();
    await untilListed('status=draft');
    await admin.press(page.getByRole('link', { name: 'All', exact: true }));
    await page.locator('a[aria-current=true]', { hasText: /^All$/ }).waitFor();
    await page.getByRole('searchbox').fill('grind');
    await page.keyboard.press('Enter');
    await page.getByText('Found for grind').waitFor();
    const found = page.locator('p', { hasText: 'Found for grind' });
    expect(await found.textContent()).to.equal('Found for grind. Show all products');
    await untilListed('q=grind');
    await page.getByRole('searchbox').fill('?!');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found').waitFor();
    await admin.press(page.getByRole('link', { name: 'Show all products' }));
    await admin.press(page.getByRole('link', { name: 'fragile' }));
    await page.getByText('Found for the tag fragile').waitFor();
    await untilListed('tag=fragile');
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('get a new price where it stands, although some were sold meanwhile', async () => {
    const { id } = await create();
    const page = await admin.open('/products');
    await admin.press(page.locator(`#edit-price-${id}`));
    const input = page.getByRole('textbox', { name: 'Price of Kettle in EUR' });
    await input.fill('free');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('“free” is not an amount in EUR').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await admin.client.post('/v1/orders', { product_id: id, quantity: 3 });
    await input.fill('25,5');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('costs €25.50').waitFor();
    expect((await product(id)).price.amount).to.equal(2550);
    await page.locator(`#edit-price-${id}:focus`, { hasText: /^\s*€25\.50\s*$/ }).waitFor();
  });

  it('keep a price that another person has set meanwhile, until it is saved again', async () => {
    const { id } = await create();
    const page = await admin.open('/products');
    await (await edit('price', id)).fill('20');
    await admin.client.patch(`/v1/products/${id}`, { price: { amount: 2300 } });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('price is now €23.00').waitFor();
    expect((await product(id)).price.amount).to.equal(2300);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('costs €20.00').waitFor();
    expect((await product(id)).price.amount).to.equal(2000);
  });

  it('have a price that is typed as the page shows it, in place of what is there', async () => {
    const { id } = await create();
    const page = await admin.open('/products');
    const input = await edit('price', id);
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await input.click();
    await page.keyboard.type('€16.50');
    expect(await input.inputValue()).to.equal('€16.50');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('costs €16.50').waitFor();
    expect((await product(id)).price.amount).to.equal(1650);
  });

  it('are left as they are by Escape and by Cancel', async () => {
    const { id } = await create();
    const page = await admin.open('/products');
    const leave = [
      () => page.keyboard.press('Escape'),
      () => admin.press(page.getByRole('button', { name: 'Cancel' })),
    ];
    for (const act of leave) {
      const input = await edit('stock', id);
      await input.fill('4');
      await act();
      await input.waitFor({ state: 'detached' });
    }
    expect(await page.locator(`#edit-stock-${id}`).innerText()).to.equal('10');
    expect((await product(id)).version).to.equal(1);
  });

  it('are restocked by a difference, which keeps what is sold meanwhile, by keyboard alone on a phone', async () => {
    const { id } = await create({ stock: 10.5 });
    const page = await admin.open('/products', phone);
    await edit('stock', id);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('+12');
    await rowOf(id).getByText('Adds 12: 22.5 in stock.').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const width: number = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).to.be.at.most(390);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Delivery');
    await admin.client.post('/v1/orders', { product_id: id, quantity: 2 });
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('20.5 of Kettle in stock').waitFor();
    const [change] = (await admin.client.get(`/v1/stock-changes?product_id=${id}`)).body.data;
    expect([change.change, change.reason, change.stock_after]).to.deep.equal([12, 'Delivery', 20.5]);
  });

  it('are counted, also for the first time, and never below zero', async () => {
    const [{ id }, uncounted] = [await create(), await create({ name: 'Card', stock: null })];
    const page = await admin.open('/products');
    const input = await edit('stock', id);
    await input.fill('−11');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Only 10 are there.').waitFor();
    await input.fill('8');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('8 of Kettle in stock').waitFor();
    const [change] = (await admin.client.get(`/v1/stock-changes?product_id=${id}`)).body.data;
    expect(change.change).to.equal(-2);
    await (await edit('stock', uncounted.id)).fill('7');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('7 of Card in stock').waitFor();
    expect((await product(uncounted.id)).stock).to.equal(7);
  });

  it('are counted once by two people who count the same, and keep what is sold meanwhile', async () => {
    const { id } = await create();
    const page = await admin.open('/products');
    const read = page.waitForResponse((response) => response.url().includes('/v1/stock-changes?'));
    const input = await edit('stock', id);
    await (await read).finished();
    await input.fill('40');
    await admin.client.post('/v1/stock-changes', { product_id: id, change: 30 });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('stock is now 40').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('40 of Kettle in stock').waitFor();
    expect((await product(id)).stock).to.equal(40);
    const again = page.waitForResponse((response) => response.url().includes('/v1/stock-changes?'));
    await edit('stock', id);
    await (await again).finished();
    await admin.client.post('/v1/orders', { product_id: id, quantity: 2 });
    await input.fill('50');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('48 of Kettle in stock').waitFor();
  });

  it('are no longer counted when that is confirmed again, although some were sold meanwhile', async () => {
    const { id } = await create();
    const page = await admin.open(`/products/${id}`);
    await admin.press(page.getByRole('main').getByRole('button', { name: 'Stop counting' }));
    await admin.client.post('/v1/orders', { product_id: id, quantity: 2 });
    const confirm = () =>
      admin.press(page.getByRole('dialog').getByRole('button', { name: 'Stop counting' }));
    await confirm();
    await page.getByRole('dialog').getByRole('alert').getByText('stock is now 8').waitFor();
    await confirm();
    await page.getByRole('button', { name: /Not counted/ }).waitFor();
    expect((await product(id)).stock).to.equal(null);
  });

  it('have a page with all fields, where texts of strangers are texts', async () => {
    const { id } = await create({ name: hostile, description: hostile, metadata: { note: hostile } });
    await admin.client.post('/v1/stock-changes', { product_id: id, change: 1, reason: hostile });
    const page = await admin.open(`/products/${id}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${hostile} II`);
    await page.getByLabel('Tax in percent').fill('5,5 %');
    await page.getByLabel('Sold in steps of').fill('0');
    await admin.press(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('alert').getByText('Type a step such as 1 or 0.25, not “0”.').waitFor();
    await page.getByLabel('Sold in steps of').fill('0,25');
    await page.getByLabel('Tags').fill('Tea, cup, tea');
    await page.getByLabel('Images').fill('https://example.com/1.jpg\nhttps://example.com/2.jpg');
    await page.getByLabel('Article number (SKU)').fill('COF-ETH-250');
    await admin.press(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('alert').getByText('sku').waitFor();
    await page.getByLabel('Article number (SKU)').fill('HOSTILE-1');
    await admin.client.patch(`/v1/products/${id}`, { description: 'By another person' });
    await admin.press(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { name: `${hostile} II` }).waitFor();
    const saved = await product(id);
    expect([saved.name, saved.tax_rate, saved.sku, saved.description]).to.deep.equal([
      ...[`${hostile} II`, 5.5, 'HOSTILE-1', 'By another person'],
    ]);
    expect(saved.quantity_step).to.equal(0.25);
    expect(saved.tags).to.deep.equal(['tea', 'cup']);
    expect(saved.image_urls).to.deep.equal(['https://example.com/1.jpg', 'https://example.com/2.jpg']);
    expect(await page.getByLabel('Description').inputValue()).to.equal('By another person');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('are archived, activated and deleted, each confirmed', async () => {
    const { id } = await create();
    const page = await admin.open(`/products/${id}`);
    const confirm = async (name: string) => {
      await admin.press(page.getByRole('main').getByRole('button', { name }));
      await admin.press(page.getByRole('dialog').getByRole('button', { name }));
    };
    await confirm('Archive');
    await page.getByRole('main').getByText('Archived', { exact: true }).waitFor();
    expect((await product(id)).status).to.equal('archived');
    await confirm('Activate');
    await page.getByRole('main').getByText('Active', { exact: true }).waitFor();
    await confirm('Stop counting');
    await page.getByRole('button', { name: /Not counted/ }).waitFor();
    expect((await product(id)).stock).to.equal(null);
    await confirm('Delete');
    await page.getByRole('heading', { name: 'Products' }).waitFor();
    expect((await admin.client.get(`/v1/products/${id}`)).status).to.equal(404);
  });

  it('are added, with the currency and the step of the last one', async () => {
    await create({ price: { amount: 900, currency: 'JPY' }, quantity_step: 0.5 });
    const page = await admin.open('/products', phone);
    await admin.press(page.getByRole('link', { name: 'Add a product' }));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tea bowl');
    await page.getByLabel('Price', { exact: true }).fill('12.50');
    await page.getByLabel('Stock').fill('1,5');
    await page.getByLabel('Status').selectOption('draft');
    await page.getByLabel('Article number (SKU)').fill('BOWL');
    await admin.press(page.getByRole('button', { name: 'Add' }));
    await page.getByRole('alert').getByText('“12.50” has decimals').waitFor();
    await page.getByLabel('Price', { exact: true }).fill('1250');
    const other = await create({ sku: 'BOWL' });
    await admin.press(page.getByRole('button', { name: 'Add' }));
    await page.getByRole('alert').getByText('sku').waitFor();
    // The same once more, after what was in its way has gone.
    await admin.client.delete(`/v1/products/${other.id}`);
    await admin.press(page.getByRole('button', { name: 'Add' }));
    await page.getByRole('heading', { name: 'Tea bowl' }).waitFor();
    const [added] = (await admin.client.get('/v1/products?sort=-id&limit=1')).body.data;
    expect(added.quantity_step).to.equal(0.5);
    expect([added.name, added.price, added.stock, added.status]).to.deep.equal([
      ...['Tea bowl', { amount: 1250, currency: 'JPY' }, 1.5, 'draft'],
    ]);
    const width: number = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });
});
