import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdmin, phone, pressByKeyboard } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';

describeAdmin('Authorized payments on the admin page', (admin) => {
  /** An order whose payment is authorized. */
  const authorized = async (): Promise<{ order: Json; payment: Json }> => {
    const { client } = admin;
    const [product] = (await client.get('/v1/products?status=active&limit=1')).body.data;
    const { data: order } = (await client.post('/v1/orders', { product_id: product.id, quantity: 1 })).body;
    const body = { order_id: order.id, payment_method: 'tok_ok', capture: 'manual' };
    const { data: payment } = (await client.post('/v1/payments', body, newKey())).body;
    return { order, payment };
  };
  const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  const paymentOf = async ({ id }: Json): Promise<Json> =>
    (await admin.client.get(`/v1/payments/${id}`)).body.data;
  const button = (name: string) => admin.page.getByRole('main').getByRole('button', { name });

  it('are taken in part, once, with a key, whatever is clicked meanwhile', async () => {
    const { order, payment } = await authorized();
    const page = await admin.open(`/orders/${order.id}`, phone);
    await admin.press(button('Take the payment'));
    const dialog = page.getByRole('dialog');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const amount = dialog.getByLabel('Amount');
    expect(await amount.inputValue()).to.equal((payment.amount.amount / 100).toFixed(2));
    await amount.fill('99999');
    await page.keyboard.press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/That is more than the €.* that are reserved/)
      .waitFor();
    await amount.fill('1,50');
    const sent: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/captures')) sent.push(request.headers()['idempotency-key']);
    });
    await dialog.getByRole('button', { name: 'Take the payment' }).dblclick();
    await page.getByRole('status').getByText('The payment is taken.').waitFor();
    await page.getByRole('main').locator('.chip').getByText('Paid', { exact: true }).first().waitFor();
    await page.getByText(/^Taken:/).waitFor();
    expect(sent).to.have.lengthOf(1);
    expect(sent[0]).to.match(/^[0-9a-f-]{36}$/);
    const taken = await paymentOf(payment);
    expect([taken.status, taken.captured.amount]).to.deep.equal(['succeeded', 150]);
    await button('Take the payment').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('are found among what there is to do, and taken in full by keyboard alone', async () => {
    const { order, payment } = await authorized();
    const page = await admin.open('/');
    await pressByKeyboard(
      page.locator('section.card', { hasText: 'Payments to take' }).getByRole('link').last(),
    );
    await page.getByRole('heading', { name: `Order ${order.number}` }).waitFor();
    await pressByKeyboard(button('Take the payment'));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The payment is taken.').waitFor();
    expect((await paymentOf(payment)).captured).to.deep.equal(payment.amount);
  });

  it('are released to the payer, after which the order can be canceled', async () => {
    const { order, payment } = await authorized();
    const page = await admin.open(`/orders/${order.id}`);
    await admin.press(button('Release the payment'));
    await page.getByRole('dialog').getByText('goes back to the payer').waitFor();
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Release the payment' }));
    await page.getByRole('status').getByText('The payment is released.').waitFor();
    expect((await paymentOf(payment)).status).to.equal('canceled');
    await admin.press(button('Cancel order'));
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }));
    await page.getByRole('main').getByText('Canceled', { exact: true }).first().waitFor();
  });

  it('say why they cannot be taken, when they were released meanwhile', async () => {
    const { order, payment } = await authorized();
    const page = await admin.open(`/orders/${order.id}`);
    await admin.press(button('Take the payment'));
    await admin.client.patch(`/v1/payments/${payment.id}`, { status: 'canceled' }, newKey());
    const dialog = page.getByRole('dialog');
    await admin.press(dialog.getByRole('button', { name: 'Take the payment' }));
    await dialog.getByRole('alert').getByText('canceled').waitFor();
    await page.keyboard.press('Escape');
    await button('Cancel order').waitFor();
  });
});
