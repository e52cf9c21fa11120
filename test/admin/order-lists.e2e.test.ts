import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdmin } from './describe-admin.ts';
import { accessibilityProblems, rowsAre, signIn } from './fixture.ts';

describeAdmin('Lists of orders on the admin page', (admin) => {
  const post = async (path: string, body: object): Promise<Json> =>
    (await admin.client.post(`/v1${path}`, body, { 'Idempotency-Key': crypto.randomUUID() })).body.data;
  /** A paid order of one product, of which this part of a hundred went back. */
  const refundedOrder = async (percent: number): Promise<Json> => {
    const [product] = (await admin.client.get('/v1/products?status=active&limit=1')).body.data;
    const order = await post('/orders', { product_id: product.id, quantity: 1 });
    const payment = await post('/payments', { order_id: order.id, payment_method: 'tok_ok' });
    await admin.client.patch(`/v1/orders/${order.id}`, { status: 'fulfilled' });
    const amount = Math.round((order.total.amount * percent) / 100);
    if (amount > 0)
      await post('/refunds', { payment_id: payment.id, amount: { amount, currency: order.currency } });
    return order;
  };
  const statusOf = (number: string) =>
    admin.page
      .locator('tr', { has: admin.page.getByRole('link', { name: number }) })
      .locator('[data-label=Status] .chip')
      .allInnerTexts();

  it('say what of the money went back, in one request', async () => {
    const [none, part, all] = [await refundedOrder(0), await refundedOrder(40), await refundedOrder(100)];
    // A view of no list, whose own requests cannot be taken for those of the orders.
    const page = await admin.open('/products/import');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\/(orders|items|payments|refunds|users)\b/.test(request.url())) asked.push(request.url());
    });
    await admin.pressInMenu(page.getByRole('link', { name: 'Orders' }));
    await page.getByRole('link', { name: all.number }).waitFor();
    expect((await statusOf(none.number)).slice(1)).to.deep.equal([]);
    expect((await statusOf(part.number)).slice(1)).to.deep.equal(['Refunded in part']);
    expect((await statusOf(all.number)).at(-1)).to.equal('Refunded');
    expect(asked, asked.join(' ')).to.have.lengthOf(1);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const { name } = (await admin.client.get(`/v1/users/${part.user_id}`)).body.data;
    await page.goto(`/admin#/customers/${part.user_id}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('link', { name: part.number }).waitFor();
    expect((await statusOf(part.number)).slice(1)).to.deep.equal(['Refunded in part']);
  });

  it('are shown to a key without the right to payments, too', async () => {
    const { number } = await refundedOrder(40);
    const { token } = await post('/api-keys', { name: 'packer', scopes: ['orders:read', 'users:read'] });
    const page = await admin.open('/orders', { isSignedIn: false });
    await signIn(page, token);
    await page.getByRole('link', { name: number }).waitFor();
    expect((await statusOf(number)).slice(1)).to.deep.equal([]);
  });

  it('say what can be searched for, and lead on when nothing is found', async () => {
    const page = await admin.open('/orders');
    const field = page.getByRole('searchbox');
    const described = 'document.getElementById("search").getAttribute("aria-describedby")';
    for (const [place, elsewhere] of [
      ['Orders', 'Customers'],
      ['Customers', 'Orders'],
    ] as const) {
      await page.getByRole('heading', { name: place, exact: true }).waitFor();
      await page.getByText(/^Search for a whole e-mail address/).waitFor();
      expect(await page.evaluate(described)).to.equal('search-about');
      await field.fill('Jules');
      await page.keyboard.press('Enter');
      await page.getByText('Names cannot be searched.').waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await admin.press(
        page.getByRole('main').getByRole('link', { name: new RegExp(`^${elsewhere}$`, 'i') }),
      );
      await page.getByRole('heading', { name: elsewhere, exact: true }).waitFor();
    }
  });

  it('say that a part of an order number finds nothing', async () => {
    const page = await admin.open('/orders?q=7K3M-9Q');
    await page.getByText('A number is found as a whole only, such as 7K3M-9QXA-2DFE.').waitFor();
  });

  it('have pages, also of what is found for a customer', async () => {
    const [product] = (await admin.client.get('/v1/products?status=active&limit=1')).body.data;
    const { user_id: id } = await post('/orders', { product_id: product.id, quantity: 1 });
    const { email } = (await admin.client.get(`/v1/users/${id}`)).body.data;
    for (let made = 0; made < 20; made += 1) await post('/orders', { product_id: product.id, quantity: 1 });
    const { length } = (await admin.client.get(`/v1/orders?user_id=${id}&limit=100`)).body.data;
    const page = await admin.open(`/orders?q=${email}`);
    await rowsAre(page, 20);
    await admin.press(page.getByRole('link', { name: 'Next page' }));
    await rowsAre(page, length - 20);
    await page.getByText(`Found for ${email}`).waitFor();
  });
});
