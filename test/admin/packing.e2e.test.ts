import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdmin, phone } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';
import { placePaidOrder } from './order-steps.ts';

describeAdmin('Packing on the admin page', (admin) => {
  const main = () => admin.page.getByRole('main');
  const shipping_address = { name: '<b>Ada</b>', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };
  /** Places a paid order with an article number. */
  const place = async (): Promise<{ order: Json; product: Json }> => {
    const body = {
      ...{ name: 'Kettle', sku: `KETTLE-${crypto.randomUUID().slice(0, 8)}`, stock: 20 },
      price: { amount: 2400, currency: 'EUR' },
    };
    const product = (await admin.client.post('/v1/products', body)).body.data;
    const fields = { shipping_address, note: 'Ring twice' };
    const { order } = await placePaidOrder(admin.client, { product, fields });
    return { order, product };
  };

  const untilFocused = (text: string) =>
    until(
      () => admin.page.evaluate('document.activeElement.textContent.trim()'),
      (focused) => focused === text,
    );

  it('prints a slip with address and items, without prices and navigation', async () => {
    const { order, product } = await place();
    const page = await admin.open(`/orders/${order.id}`);
    await main().getByText(product.sku).waitFor();
    await page.evaluate("globalThis.print = () => { document.body.dataset.printed = 'yes' }");
    await admin.press(main().getByRole('button', { name: 'Print packing slip' }));
    await page.locator('[data-printed=yes]').waitFor({ state: 'attached' });
    expect(await page.locator('.slip').isVisible()).to.equal(false);
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('body').innerText();
    for (const text of [order.number, '<b>Ada</b>', 'Herrengasse 1', 'Austria', 'Kettle', product.sku])
      expect(printed).to.contain(text);
    expect(printed).to.match(/Quantity.*\b2\b/s);
    expect(printed).not.to.match(/€|Today|Mark as sent|Sign out|Ring twice|Payments|What has happened/);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await page.locator('.slip').waitFor({ state: 'detached' });
  });

  it('leads from an order that is sent to the one that waits longest', async () => {
    const { client } = admin;
    const { order } = await place();
    const page = await admin.open(`/orders/${order.id}`);
    await main().getByRole('button', { name: 'Mark as sent' }).waitFor();
    expect(await main().getByRole('link', { name: 'Next order to pack' }).count()).to.equal(0);
    await admin.press(main().getByRole('button', { name: 'Mark as sent' }));
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }));
    await main().getByText('Sent', { exact: true }).waitFor();
    await untilFocused('Next order to pack');
    const [oldest] = (await client.get('/v1/orders?status=paid&limit=1')).body.data;
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await admin.press(main().getByRole('link', { name: 'Next order to pack' }));
    await page.getByRole('heading', { name: `Order ${oldest.number}` }).waitFor();
    for (const { id } of (await client.get('/v1/orders?status=paid&limit=100')).body.data)
      if (id !== oldest.id) await client.patch(`/v1/orders/${id}`, { status: 'fulfilled' });
    await admin.press(main().getByRole('button', { name: 'Mark as sent' }));
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }));
    await main().getByText('Everything is packed.').waitFor();
    await untilFocused('Everything is packed.');
  });

  it('keeps the focus in the view when the button that was pressed is gone', async () => {
    const { order } = await place();
    const page = await admin.open(`/orders/${order.id}`);
    await page.route(/v1\/orders\?/, (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'FORBIDDEN', message: 'Not now.' } } }),
    );
    await admin.press(main().getByRole('button', { name: 'Mark as sent' }));
    await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }));
    await main().getByText('Sent', { exact: true }).waitFor();
    await main().getByRole('button', { name: 'Mark as sent' }).waitFor({ state: 'detached' });
    await untilFocused(`Order ${order.number}`);
  });

  it('shows address and payments before the history on a phone', async () => {
    const { order } = await place();
    const page = await admin.open(`/orders/${order.id}`, phone);
    await page.getByRole('heading', { name: 'What has happened' }).waitFor();
    const tops = await Promise.all(
      ['Items', 'Customer', 'Payments', 'What has happened'].map(
        async (name) => (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 0,
      ),
    );
    expect(tops).to.deep.equal(tops.toSorted((one, other) => one - other));
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
  });
});
