import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { describeAdmin } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';
import { placePaidOrder } from './order-steps.ts';

describeAdmin('Refunds on the admin page', (admin) => {
  const dialog = () => admin.page.getByRole('dialog');
  const confirm = () => dialog().locator('button.danger');
  const refundButton = () =>
    admin.page.getByRole('main').getByRole('button', { name: 'Refund', exact: true });
  const status = (text: string | RegExp) => admin.page.getByRole('status').getByText(text).waitFor();
  const paymentOf = async ({ id }: Json): Promise<Json> =>
    (await admin.client.get(`/v1/payments/${id}`)).body.data;
  const stockOf = async ({ id }: Json): Promise<number> =>
    (await admin.client.get(`/v1/products/${id}`)).body.data.stock;
  /** Opens the dialog for a new order. */
  const begin = async (method?: string) => {
    const placed = await placePaidOrder(admin.client, method === undefined ? {} : { method });
    const page = await admin.open(`/orders/${placed.order.id}`);
    await admin.press(refundButton());
    const amount = dialog().getByLabel('Amount');
    return { ...placed, page, amount, left: (placed.payment.amount.amount / 100).toFixed(2) };
  };

  it('begin without an amount, and pay nothing back by Enter', async () => {
    const { page, amount, payment, left } = await begin();
    expect(await amount.inputValue()).to.equal('');
    expect(await confirm().innerText()).to.equal('Refund');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await admin.press(dialog().getByRole('button', { name: `All of it (€${left})` }));
    expect(await amount.inputValue()).to.equal(left);
    await amount.focus();
    await page.keyboard.type('1');
    expect(await amount.inputValue()).to.equal('1');
    expect(await confirm().innerText()).to.equal('Refund €1.00');
    await dialog().getByText('The order stays to be packed, and the stock stays as it is.').waitFor();
    // As of a key that is held down.
    for (const _ of [1, 2, 3]) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await page.evaluate('document.activeElement.className')).to.equal('danger');
    await dialog().getByLabel('Reason').press('Enter');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(sent).to.deep.equal([]);
    expect((await paymentOf(payment)).refunded.amount).to.equal(0);
  });

  it('say what is wrong with an amount, and take it as people write it', async () => {
    const { page, amount, payment, left } = await begin();
    const wrong = {
      abc: '“abc” is not an amount in EUR',
      '9999': `That is more than the €${left} that are left.`,
      '-5': 'An amount is above 0.',
    };
    for (const [text, message] of Object.entries(wrong)) {
      await amount.fill(text);
      await admin.press(confirm());
      await dialog().getByRole('alert').getByText(message).waitFor();
    }
    await amount.fill('1,00 €');
    await dialog().getByLabel('Reason').fill('<img src=x onerror=alert(1)>');
    await admin.press(confirm());
    await status('€1.00 is refunded.');
    await page.locator('.entry').getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.locator('.timeline').getByText('€1.00 refunded: <img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('.timeline li p:first-child').allInnerTexts()).to.deep.equal([
      '€1.00 refunded: <img src=x onerror=alert(1)>',
      `€${left} paid`,
      'Order placed',
    ]);
    expect(await page.locator('.timeline').innerText()).not.to.match(/·\s*$/m);
    expect((await paymentOf(payment)).refunded.amount).to.equal(100);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('are possible until nothing is left, after which the order is canceled and in stock again', async () => {
    const { page, amount, payment, product, left } = await begin();
    const reserved = await stockOf(product);
    await amount.fill('1.00');
    await admin.press(confirm());
    await status('€1.00 is refunded.');
    await page.locator('.entry').getByText('Partially refunded').waitFor();
    await admin.press(refundButton());
    await admin.press(
      dialog().getByRole('button', { name: `All of it (€${(Number(left) - 1).toFixed(2)})` }),
    );
    await dialog()
      .getByText(/under Refunded.* the pieces it took go back into stock/i)
      .waitFor();
    await admin.press(confirm());
    await page.locator('.actions').getByText('Refunded', { exact: true }).waitFor();
    await refundButton().waitFor({ state: 'detached' });
    expect((await paymentOf(payment)).refunded).to.deep.equal(payment.amount);
    expect(await stockOf(product)).to.equal(reserved + 2);
  });

  it('of all the money cancel a paid order by one button', async () => {
    const { order, payment, product } = await placePaidOrder(admin.client);
    const reserved = await stockOf(product);
    const body = { payment_id: payment.id, amount: { amount: 100, currency: 'EUR' } };
    await admin.client.post('/v1/refunds', body, { 'Idempotency-Key': crypto.randomUUID() });
    const page = await admin.open(`/orders/${order.id}`);
    const label = `Cancel and refund €${((payment.amount.amount - 100) / 100).toFixed(2)}`;
    await admin.press(page.getByRole('main').getByRole('button', { name: label }));
    await dialog().getByText('€1.00 was refunded before').waitFor();
    await dialog()
      .getByText(/under Refunded.* the pieces it took go back into stock/i)
      .waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await dialog().getByLabel('Reason').fill('Sold out');
    await page.keyboard.press('Enter');
    expect(await dialog().count()).to.equal(1);
    expect(await confirm().innerText()).to.equal(label);
    await admin.press(confirm());
    await status(/is refunded/);
    expect((await admin.client.get(`/v1/orders/${order.id}`)).body.data.status).to.equal('refunded');
    expect(await stockOf(product)).to.equal(reserved + 2);
    await page.locator('.actions').getByText('Refunded', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /Cancel|Refund|sent/ })
      .first()
      .waitFor({ state: 'detached' });
  });

  /** Another person gives some of it back, while the dialog is open. */
  const giveElsewhere = async ({ id }: Json, amount: number) => {
    const body = { payment_id: id, amount: { amount, currency: 'EUR' } };
    const { status: code } = await admin.client.post('/v1/refunds', body, {
      'Idempotency-Key': crypto.randomUUID(),
    });
    expect(code).to.equal(201);
  };

  it('ask again when another person has given some of it back meanwhile', async () => {
    const { amount, payment, left } = await begin();
    const leftAfter = (Number(left) - 1).toFixed(2);
    await amount.fill('1.00');
    await giveElsewhere(payment, 100);
    await admin.press(confirm());
    await dialog()
      .getByRole('alert')
      .getByText('€1.00 was refunded meanwhile. Yours was not given.')
      .waitFor();
    await dialog().getByText(`Up to €${leftAfter} can be refunded.`).waitFor();
    await dialog()
      .getByRole('button', { name: `All of it (€${leftAfter})` })
      .waitFor();
    expect(await amount.inputValue()).to.equal('1.00');
    expect(await accessibilityProblems(admin.page)).to.deep.equal([]);
    expect((await paymentOf(payment)).refunded.amount).to.equal(100);
    await admin.press(confirm());
    await status('€1.00 is refunded.');
    expect((await paymentOf(payment)).refunded.amount).to.equal(200);
  });

  it('of all the money ask again when less is left, and are not given when nothing is', async () => {
    const { order, payment } = await placePaidOrder(admin.client);
    const labelOf = (amount: number) => `Cancel and refund €${(amount / 100).toFixed(2)}`;
    const all = payment.amount.amount;
    const page = await admin.open(`/orders/${order.id}`);
    await admin.press(page.getByRole('main').getByRole('button', { name: labelOf(all) }));
    await giveElsewhere(payment, 100);
    await admin.press(confirm());
    await dialog().getByRole('alert').getByText('€1.00 was refunded meanwhile').waitFor();
    expect(await confirm().innerText()).to.equal(labelOf(all - 100));
    await dialog().getByText('€1.00 was refunded before').waitFor();
    await giveElsewhere(payment, all - 100);
    await admin.press(confirm());
    await dialog()
      .getByRole('alert')
      .getByText(`€${((all - 100) / 100).toFixed(2)} was refunded meanwhile`)
      .waitFor();
    await admin.press(confirm());
    await dialog().getByRole('alert').getByText('cannot be canceled any more').waitFor();
    expect((await paymentOf(payment)).refunded.amount).to.equal(all);
  });

  it('of a sent order bring nothing back into stock, and say so', async () => {
    const { order, product, payment } = await placePaidOrder(admin.client);
    await admin.client.patch(`/v1/orders/${order.id}`, { status: 'fulfilled' });
    const reserved = await stockOf(product);
    const page = await admin.open(`/orders/${order.id}`);
    await refundButton().waitFor();
    expect(await page.getByRole('button', { name: /Cancel/ }).count()).to.equal(0);
    await admin.press(refundButton());
    await admin.press(dialog().getByRole('button', { name: 'All of it' }));
    await dialog().getByText('nothing goes back into stock').waitFor();
    await admin.press(confirm());
    await status(/is refunded/);
    expect((await paymentOf(payment)).status).to.equal('refunded');
    expect(await stockOf(product)).to.equal(reserved);
  });

  it('of what was paid directly are paid back by the shop itself', async () => {
    const { page, amount } = await begin('offline');
    await dialog().getByText('You pay this back yourself; Portico only records it.').waitFor();
    await amount.fill('2');
    await admin.press(confirm());
    await status('Recorded: you pay €2.00 back yourself.');
    const entry = page.locator('.entry', { hasText: 'Paid to you directly' });
    await entry.getByText('You pay this back yourself.').waitFor();
    await entry.getByText('Recorded').waitFor();
  });

  it('that take a while are on their way, and have a date', async () => {
    const { page, amount } = await begin('tok_refund_pending');
    await amount.fill('2');
    await admin.press(confirm());
    await status('€2.00 is on its way back to the customer.');
    const entry = page.locator('.entry p', { hasText: 'Refund' });
    await entry.getByText('Pending').waitFor();
    expect(await entry.innerText()).to.contain(`${new Date().getFullYear()}`);
    const send = page.getByRole('button', { name: 'Mark as sent' });
    await send.waitFor();
    await admin.press(refundButton());
    await admin.press(dialog().getByRole('button', { name: 'All of it' }));
    await admin.press(confirm());
    await page.getByText('All the money is on its way back. Do not send the order.').waitFor();
    await send.waitFor({ state: 'detached' });
  });
});
