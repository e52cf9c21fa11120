import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdminInEachWay, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems, rowsAre, signIn } from './fixture.ts';

describeAdminInEachWay('Orders on the admin page', (admin) => {
  const orders = async (query = ''): Promise<Json[]> =>
    (await admin.client.get(`/v1/orders?sort=-id&limit=100${query}`)).body.data;
  const order = async (id: string): Promise<Json> => (await admin.client.get(`/v1/orders/${id}`)).body.data;
  const numbersOf = (list: readonly Json[]): string[] => list.map(({ number }) => number);
  const paidOrder = async (): Promise<Json> => {
    const { client } = admin;
    const [product] = (await client.get('/v1/products?status=active&limit=1')).body.data;
    const { data } = (await client.post('/v1/orders', { product_id: product.id, quantity: 2 })).body;
    await client.post(
      '/v1/payments',
      { order_id: data.id, payment_method: 'tok_ok' },
      { 'Idempotency-Key': crypto.randomUUID() },
    );
    return data;
  };

  it('are shown to staff only, and only with a key that is known', async () => {
    const page = await admin.open('/orders', { isSignedIn: false });
    await page.getByLabel('Key').fill('ptc_unknown');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/not known, or was revoked/)
      .waitFor();
    const { client } = admin;
    const [ada] = (await client.get('/v1/users?role=customer&limit=1')).body.data;
    const made = await client.post('/v1/api-keys', { name: 'till', user_id: ada.id });
    await page.getByLabel('Key').fill(made.body.data.token);
    await admin.press(page.getByRole('button', { name: 'Sign in' }));
    await page.getByText('not one of staff').waitFor();
    await signIn(page, client.token ?? '');
    await page.locator('a.row').first().waitFor();
  });

  it('keep the key in the tab alone', async () => {
    const page = await admin.open('/orders');
    const key = admin.client.token ?? '';
    const kept: { session: string; local: string; cookies: string; url: string } = await page.evaluate(
      '({ session: JSON.stringify(sessionStorage), local: JSON.stringify(localStorage), cookies: document.cookie, url: location.href })',
    );
    expect(kept.session).to.contain(key);
    expect(kept.local + kept.cookies + kept.url).not.to.contain(key);
    expect(admin.fixture.server.program.output + admin.fixture.server.program.errors).not.to.contain(key);
    await admin.pressInMenu(page.getByRole('button', { name: 'Sign out' }));
    await page.getByLabel('Key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('are listed with the newest first, filtered by status, and found by number and e-mail', async () => {
    const page = await admin.open('/orders');
    const all = await orders();
    await rowsAre(page, numbersOf(all));
    await admin.press(page.getByRole('link', { name: 'To pack' }));
    await page.locator('a[aria-current=true]', { hasText: 'To pack' }).waitFor();
    await rowsAre(page, numbersOf(await orders('&status=paid')).reverse());
    await admin.press(page.getByRole('link', { name: 'Not paid' }));
    const unpaid = numbersOf(await orders('&status=pending'));
    await rowsAre(page, unpaid);
    expect(await page.getByRole('cell').getByText('Not paid', { exact: true }).count()).to.equal(
      unpaid.length,
    );
    await admin.press(page.getByRole('link', { name: 'Sent' }));
    await rowsAre(page, numbersOf(await orders('&status=fulfilled')));
    for (const text of [all[0].number.toLowerCase(), 'ada@example.com', 'no such order']) {
      await page.getByRole('searchbox').fill(text);
      await page.keyboard.press('Enter');
      await page.getByText(`Found for ${text}`).waitFor();
      const filter = text.includes('@')
        ? `&user_id=${(await admin.client.get(`/v1/users?email=${text}`)).body.data[0].id}`
        : '';
      const expected =
        text === 'no such order'
          ? []
          : (await orders(filter)).filter(({ number }) => filter !== '' || number.toLowerCase() === text);
      await rowsAre(page, numbersOf(expected));
    }
    await page.getByText('Nothing found').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('appear by themselves while one looks', async () => {
    await admin.open('/orders');
    await admin.page.locator('a.row').first().waitFor();
    await admin.page.getByText('Live', { exact: true }).waitFor();
    const { number } = await paidOrder();
    await admin.page.getByRole('link', { name: number }).waitFor();
  });

  it('are marked as sent, which is confirmed', async () => {
    const { id } = await paidOrder();
    const page = await admin.open(`/orders/${id}`);
    await admin.press(page.getByRole('button', { name: 'Mark as sent' }));
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }));
    await page.getByRole('main').getByText('Sent', { exact: true }).waitFor();
    expect((await order(id)).status).to.equal('fulfilled');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('say of the payments of a demonstration that they moved no money', async () => {
    const { id } = await paidOrder();
    const page = await admin.open(`/orders/${id}`);
    await page.getByText(/^Test payment, no money moved · /).waitFor();
    expect(await page.getByText('sandbox').count()).to.equal(0);
  });

  it('show where they go, with the name of the country', async () => {
    const { client } = admin;
    const [product] = (await client.get('/v1/products?status=active&limit=1')).body.data;
    const address = {
      name: '<b>Ada</b>',
      line1: 'Herrengasse 1',
      city: 'Wien',
      country: 'AT',
      postal_code: '1010',
    };
    const ordered = { product_id: product.id, quantity: 1, shipping_address: address };
    const { id } = (await client.post('/v1/orders', ordered)).body.data;
    await admin.open(`/orders/${id}`);
    const lines = admin.page.locator('address span');
    await lines.first().waitFor();
    expect(await lines.allInnerTexts()).to.deep.equal([
      '<b>Ada</b>',
      'Herrengasse 1',
      '1010 Wien',
      'Austria',
    ]);
  });

  it('say why an action fails, when the order has changed meanwhile', async () => {
    const { id } = await paidOrder();
    const page = await admin.open(`/orders/${id}`);
    await admin.press(page.getByRole('button', { name: 'Mark as sent' }));
    await admin.client.patch(`/v1/orders/${id}`, { note: 'Ring twice' });
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }));
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/changed/i)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Ring twice').waitFor();
    expect((await order(id)).status).to.equal('paid');
  });

  it('stay as they are when one goes back in the browser, but not once the action runs', async () => {
    const { id, number } = await paidOrder();
    const page = await admin.open('/orders');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.method());
    });
    const send = page.getByRole('main').getByRole('button', { name: 'Mark as sent' });
    const dialog = page.getByRole('dialog');
    await admin.press(page.getByRole('link', { name: number }));
    await admin.press(send);
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await admin.press(page.getByRole('link', { name: number }));
    await admin.press(send);
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(sent).to.deep.equal([]);
    expect((await order(id)).status).to.equal('paid');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v1/orders/*', async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await admin.press(send);
    await admin.press(dialog.getByRole('button', { name: 'Mark as sent' }));
    await dialog.getByText('Working …').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Orders', includeHidden: true }).waitFor();
    await dialog.getByText('Working …').waitFor();
    release();
    await page.getByRole('status').getByText('The order is marked as sent.').waitFor();
    expect(sent).to.deep.equal(['PATCH']);
    expect((await order(id)).status).to.equal('fulfilled');
  });

  it('are canceled by keyboard alone, on a phone in the dark', async () => {
    const { client } = admin;
    const [product] = (await client.get('/v1/products?status=active&limit=1')).body.data;
    const { id, number } = (await client.post('/v1/orders', { product_id: product.id, quantity: 1 })).body
      .data;
    const page = await admin.open('/orders', phone);
    await pressByKeyboard(page.getByRole('link', { name: number }));
    await page.getByRole('heading', { name: `Order ${number}` }).waitFor();
    await pressByKeyboard(page.getByRole('button', { name: 'Cancel order' }));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByText('Canceled', { exact: true }).waitFor();
    expect((await order(id)).status).to.equal('canceled');
    const width: number = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });
});
