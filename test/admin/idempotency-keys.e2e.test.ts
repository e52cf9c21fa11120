import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Client, type Json } from '../http/support/client.ts';
import { describeAdmin, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems, signIn } from './fixture.ts';

describeAdmin('Requests on the admin page', (admin) => {
  const newOrder = async (fields: object = {}): Promise<Json> => {
    const [product] = (await admin.client.get('/v1/products?status=active&limit=1')).body.data;
    return (await admin.client.post('/v1/orders', { product_id: product.id, quantity: 1, ...fields })).body
      .data;
  };
  /** Pays an order. @returns the order and the idempotency key of the payment */
  const pay = async (token: string, fields: object = {}): Promise<{ order: Json; key: string }> => {
    const order = await newOrder(fields);
    const key = `key-${crypto.randomUUID()}`;
    await admin.client.post(
      '/v1/payments',
      { order_id: order.id, payment_method: token },
      { 'Idempotency-Key': key },
    );
    return { order, key };
  };
  const lookUp = async (page: Page, key: string, email = ''): Promise<void> => {
    await page.getByLabel('Key of the request').fill(key);
    if (email) await page.getByLabel('E-mail of the customer').fill(email);
    await admin.press(page.getByRole('button', { name: 'Look it up' }));
  };
  const problemsAt = async (page: Page): Promise<readonly string[]> => {
    const width: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(width).to.be.at.most(0);
    return accessibilityProblems(page);
  };

  it('are found by their key, which is in no address, and lead to the order', async () => {
    const { order, key } = await pay('tok_ok');
    const page = await admin.open('/requests');
    await lookUp(page, key);
    await page.getByRole('heading', { name: 'Pay an order' }).waitFor();
    await page.getByText('It was carried out, once').waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByText('Succeeded', { exact: true }).waitFor();
    expect(page.url()).not.to.contain(key);
    expect(await problemsAt(page)).to.deep.equal([]);
    await admin.press(page.getByRole('link', { name: order.number }));
    await page.getByRole('heading', { name: `Order ${order.number}` }).waitFor();
  });

  it('say what to do when the provider gave no answer, or rejected the payment', async () => {
    const open = await pay('tok_error');
    const declined = await pay('tok_declined');
    const page = await admin.open('/requests');
    await admin.press(page.getByRole('link', { name: 'Not finished' }));
    await page.locator('a[aria-current=true]', { hasText: 'Not finished' }).waitFor();
    await page.getByText(open.key).waitFor();
    expect(await page.getByText(declined.key).count()).to.equal(0);
    expect(await problemsAt(page)).to.deep.equal([]);
    await admin.press(page.getByRole('row', { name: open.key }).getByRole('link'));
    await page.getByText('It stopped in the middle.').waitFor();
    await page.getByText('Nothing is charged twice').waitFor();
    await page.getByText('Pending', { exact: true }).first().waitFor();
    await page.goBack();
    await lookUp(page, declined.key);
    await page.getByText('It was rejected (').waitFor();
    await page.getByText('Another attempt needs a new key').waitFor();
    await page.getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('link', { name: declined.order.number }).waitFor();
  });

  it('of a customer are found by their e-mail and from their page, by keyboard alone, on a phone in the dark', async () => {
    const [ada] = (await admin.client.get('/v1/users?email=ada@example.com')).body.data;
    const { token } = (await admin.client.post('/v1/api-keys', { name: 'phone', user_id: ada.id })).body.data;
    const [product] = (await admin.client.get('/v1/products?status=active&limit=1')).body.data;
    const key = `order-${crypto.randomUUID()}`;
    const made = await new Client(() => admin.client.base, token).post(
      '/v1/orders',
      { product_id: product.id, quantity: 1 },
      { 'Idempotency-Key': key },
    );
    const page = await admin.open('/requests', phone);
    await lookUp(page, key);
    await page.getByText('No such request').waitFor();
    await page.getByLabel('E-mail of the customer').focus();
    await page.keyboard.type('nowhere@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('There is no user with the e-mail address nowhere@example.com').waitFor();
    await page.getByLabel('E-mail of the customer').fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Place an order' }).waitFor();
    await page.getByRole('link', { name: made.body.data.number }).waitFor();
    expect(await problemsAt(page)).to.deep.equal([]);
    await page.evaluate(`location.hash = "#/customers/${ada.id}"`);
    await pressByKeyboard(page.getByRole('link', { name: 'requests' }));
    await page.getByRole('heading', { name: `Requests of ${ada.name}` }).waitFor();
    await page.getByText(key).waitFor();
    expect(await problemsAt(page)).to.deep.equal([]);
  });

  it('of others are for administrators, and staff are told so', async () => {
    const someone = { email: `${crypto.randomUUID()}@example.com`, name: 'Packer', role: 'staff' };
    const { id: user } = (await admin.client.post('/v1/users', someone)).body.data;
    const keyOf = async (fields: object): Promise<string> =>
      (await admin.client.post('/v1/api-keys', { name: 'Desk', user_id: user, ...fields })).body.data.token;
    const page = await admin.open('/requests', { isSignedIn: false });
    await signIn(page, await keyOf({}));
    await page.getByText('Only an administrator can look up those of others.').waitFor();
    await page.getByText('No requests here').waitFor();
    expect(await page.getByLabel('E-mail of the customer').count()).to.equal(0);
    await admin.pressInMenu(page.getByRole('button', { name: 'Sign out' }));
    await signIn(page, await keyOf({ scopes: ['users:read', 'orders:read'] }));
    await page.getByText('lacks the scope idempotency-keys:read').waitFor();
  });
});
