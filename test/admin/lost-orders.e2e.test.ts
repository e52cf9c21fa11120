import { expect } from 'chai';
import type { Json } from '../http/support/client.ts';
import { until } from '../support/until.ts';
import { describeAdmin } from './describe-admin.ts';
import { accessibilityProblems } from './fixture.ts';

describeAdmin(
  'An order whose money was lost, on the admin page',
  (admin) => {
    const card = (name: string) =>
      admin.page.locator('section.card', { has: admin.page.getByRole('heading', { name }) });
    const title = 'Money lost, goods not sent';

    it('is named on Today before it is packed, and ended on its page', async () => {
      const { client } = admin;
      const read = async (path: string) => (await client.get(path)).body.data;
      const [product] = await read('/v1/products?status=active&limit=1');
      const lost: Json = (await client.post('/v1/orders', { product_id: product.id, quantity: 2 })).body.data;
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      await client.post('/v1/payments', { order_id: lost.id, payment_method: 'tok_dispute' }, key);
      await until(
        () => read(`/v1/disputes?order_id=${lost.id}`),
        ([dispute]) => dispute?.status === 'lost',
        60_000,
      );
      const stock = async (): Promise<number> => (await read(`/v1/products/${product.id}`)).stock;
      const before = await stock();
      const page = await admin.open('/');
      const link = card(title).getByRole('link', { name: lost.number });
      await link.waitFor();
      await admin.press(link);
      await page.getByText('Money was lost in a dispute').waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await admin.press(page.getByRole('button', { name: 'Cancel order' }));
      await page.getByText('What is left of the money can still be refunded').waitFor();
      await admin.press(page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }));
      await page.getByText('Canceled, and back in stock').waitFor();
      expect((await read(`/v1/orders/${lost.id}`)).status).to.equal('canceled');
      expect(await stock()).to.equal(before + 2);
      await admin.open('/');
      await card('To pack').waitFor();
      await card(title).waitFor({ state: 'detached' });
    });
  },
  { PROVIDER_EVENTS_POLL_MS: '500' },
);
