import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdmin, phone } from './describe-admin.ts';
import { accessibilityProblems, rowsAre, signIn } from './fixture.ts';

const hostile = '<img src=x onerror=alert(1)>';

describeAdmin('Today on the admin page', (admin) => {
  const sold = async (): Promise<Json> =>
    (await admin.client.get('/v1/products?status=active&limit=1')).body.data[0];
  const order = async (...quantities: readonly number[]): Promise<Json> => {
    const { client } = admin;
    const product = await sold();
    const items = (quantities.length === 0 ? [1] : quantities).map((quantity) => ({
      ...{ product_id: product.id, quantity },
    }));
    return (await client.post('/v1/orders', { items })).body.data;
  };
  const paidOrders = async (): Promise<Json[]> =>
    (await admin.client.get('/v1/orders?status=paid&limit=100')).body.data;
  const pay = (id: string, method: string) =>
    admin.client.post(
      '/v1/payments',
      { order_id: id, payment_method: method, payer_present: method === 'tok_action_never' },
      { 'Idempotency-Key': crypto.randomUUID() },
    );
  const card = (title: string | RegExp) =>
    admin.page.locator('section.card', { has: admin.page.getByRole('heading', { name: title }) });
  const paidToday = async (): Promise<string> => {
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    const { data } = (await admin.client.get(`/v1/sales?from=${midnight.toISOString()}`)).body;
    return `€${(data[0].paid.amount / 100).toFixed(2)}`;
  };

  it('shows what was sold today and in the last days, and follows new payments', async () => {
    await admin.open('/', { locale: 'en-US' });
    const today = card('Sales').locator('.figure', { hasText: 'Today' }).locator('.value');
    await today.waitFor();
    expect(await today.innerText()).to.equal(await paidToday());
    const { id } = await order();
    await pay(id, 'tok_ok');
    const sum = await paidToday();
    for (const span of ['Today', 'Last 7 days', 'Last 30 days'])
      await card('Sales')
        .locator('.figure', { hasText: span })
        .locator('.value')
        .getByText(sum, { exact: true })
        .waitFor();
    expect(await card('Sales').locator('svg rect').count()).to.equal(30);
    expect(await accessibilityProblems(admin.page)).to.deep.equal([]);
  });

  it('asks for the days of the time zone in which it is read', async () => {
    const asked: (string | null)[] = [];
    const page = await admin.open('/', { isSignedIn: false, timezoneId: 'America/Santiago' });
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v1/sales') asked.push(searchParams.get('time_zone'));
    });
    await signIn(page, admin.client.token ?? '');
    await card('Sales').locator('.figure', { hasText: 'Last 30 days' }).waitFor();
    expect(new Set(asked)).to.deep.equal(new Set(['America/Santiago']));
  });

  it('lists what there is to do, and leads to it', async () => {
    const [paid, asked] = [await order(), await order()];
    await pay(paid.id, 'tok_ok');
    await pay(asked.id, 'tok_action_never');
    await admin.open('/', phone);
    await card(/^Payments that wait/)
      .getByRole('link')
      .first()
      .waitFor();
    expect(await admin.page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    expect(await accessibilityProblems(admin.page)).to.deep.equal([]);
    expect(await card('Disputes to answer').count()).to.equal(0);
    const [oldest] = await paidOrders();
    await admin.press(card('To pack').getByRole('link', { name: oldest.number }));
    await admin.page.getByRole('heading', { name: `Order ${oldest.number}` }).waitFor();
  });

  it('counts what is to pack in pieces, and leads to all of it, the oldest first', async () => {
    await admin.client.patch(`/v1/products/${(await sold()).id}`, { quantity_step: 0.5 });
    const { id, number } = await order(2, 3.5);
    for (let made = 0; made < 5; made += 1) await pay((await order()).id, 'tok_ok');
    await pay(id, 'tok_ok');
    const page = await admin.open('/');
    const count = card('To pack').getByRole('link', { name: /to pack$/ });
    await count.waitFor();
    const paid = await paidOrders();
    expect(await count.innerText()).to.equal(`${paid.length} to pack`);
    await card('To pack').getByText('Oldest first').waitFor();
    const place = paid.findIndex((each) => each.id === id);
    expect(await card('To pack').getByRole('listitem').count()).to.equal(5);
    await admin.press(count);
    await page.getByText('Orders, the oldest first').waitFor();
    const numbers = paid.map((each) => each.number);
    await rowsAre(page, numbers);
    expect(numbers[place]).to.equal(number);
    const row = page.locator('tbody tr').nth(place);
    expect(await row.locator('[data-label=Pieces]').innerText()).to.contain('5.5');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('leads to an order from the whole of its row, as from the name of the customer', async () => {
    await pay((await order()).id, 'tok_ok');
    const page = await admin.open('/');
    const row = card('To pack').getByRole('listitem').first();
    const number = await row.getByRole('link').innerText();
    const box = await row.locator('.soft').boundingBox();
    if (box === null) throw new Error('The row is shown.');
    await page.mouse.click(box.x + 10, box.y + box.height / 2);
    await page.getByRole('heading', { name: `Order ${number}` }).waitFor();
  });

  it('says how many of the orders are paid, beside the sum of those', async () => {
    await order();
    await admin.open('/');
    const today = card('Sales').locator('.figure', { hasText: 'Today' });
    await today.waitFor();
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    const { data } = (await admin.client.get(`/v1/sales?from=${midnight.toISOString()}`)).body;
    const { order_count: orders, paid_order_count: paid } = data[0];
    expect(paid).to.be.below(orders);
    expect(await today.locator('.soft').innerText()).to.match(new RegExp(`^${orders} orders, ${paid} paid`));
  });

  it('shows what is low in stock, below a number of one’s own, and leads to where it is restocked', async () => {
    const { client } = admin;
    const price = { amount: 900, currency: 'EUR' };
    for (const { id } of (await client.get('/v1/products?stock_below=8')).body.data)
      await client.patch(`/v1/products/${id}`, { stock: 100 });
    for (const [name, stock] of [
      [hostile, 0],
      ['Cup', 4.5],
      ['Plate', 7],
      ['Post card', null],
    ] as const)
      await client.post('/v1/products', { name, price, stock });
    await client.post('/v1/products', { name: 'Old cup', price, stock: 1, status: 'archived' });
    const page = await admin.open('/', phone);
    const low = card('Low in stock');
    const rowsOfLowAre = (expected: readonly string[]) =>
      until(
        async () => (await low.locator('li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
        (rows) => JSON.stringify(rows) === JSON.stringify(expected),
        30_000,
      );
    await rowsOfLowAre([`${hostile} Sold out`, 'Cup 4.5 left']);
    const input = low.getByLabel('Fewer than');
    await input.fill('many');
    await page.keyboard.press('Enter');
    await low.getByRole('alert').getByText('Type a number').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    await input.fill('7,5');
    await page.keyboard.press('Enter');
    await rowsOfLowAre([`${hostile} Sold out`, 'Cup 4.5 left', 'Plate 7 left']);
    await admin.press(low.getByRole('link', { name: 'Restock' }));
    await page.getByText('fewer than 7.5 in stock').waitFor();
    await rowsAre(page, ['Plate', 'Cup', hostile]);
    await admin.press(page.getByRole('button', { name: /^Stock of Plate/ }));
    await page.getByRole('textbox', { name: 'Stock of Plate' }).fill('+30');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('37 of Plate in stock').waitFor();
    await page.getByRole('link', { name: 'Plate' }).waitFor({ state: 'detached' });
    await admin.press(page.getByRole('button', { name: 'Menu' }));
    await admin.press(page.getByRole('link', { name: 'Today' }));
    await rowsOfLowAre([`${hostile} Sold out`, 'Cup 4.5 left']);
    expect(await low.getByLabel('Fewer than').inputValue()).to.equal('7.5');
    await page.goto(`${admin.fixture.origin}/admin#/products`);
    await admin.press(page.getByRole('link', { name: 'Low in stock' }));
    await page.locator('a[aria-current=true]', { hasText: 'Low in stock' }).waitFor();
    await rowsAre(page, ['Cup', hostile]);
  });
});
