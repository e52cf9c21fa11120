import { expect } from 'chai';
import { databaseTexts } from '../../support/database-texts.ts';
import { Client } from '../support/client.ts';
import { expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { firstItem, newProduct, once } from '../support/shop.ts';

const planted = 'Wolpertinger-7391';
const timing = { credentialTtlMs: 50, erasureQuietMs: 300 };
const texts = { name: planted, company: planted, line1: planted, line2: planted, postal_code: '7391 WOLP' };
const address = { ...texts, city: planted, region: planted, country: 'AT', phone: planted };
const metadata = { planted };

export const describeErasedUser = serviceSuite(
  'An erased user',
  { RECONCILE_AFTER_MS: '500' },
  (service) => {
    it('has left none of their texts in the database', async () => {
      const { operator } = service;
      const staff = await service.person('staff');
      const details = { email: `${planted}@example.com`, name: planted, external_id: planted, metadata };
      const user = expectOne(await operator.post('/v1/users', details, once()), 201);
      const newKey = async (by: Client) => {
        const body = { name: planted, user_id: user.id };
        return expectOne(await by.post('/v1/api-keys', body, once()), 201);
      };
      const customer = new Client(() => service.url, (await newKey(operator)).token);
      await newKey(customer);
      expectOne(await customer.patch(`/v1/users/${user.id}`, { name: `${planted} II` }, once()));
      const product = await newProduct(service, { stock: 10 });
      const body = { product_id: product.id, quantity: 1, note: planted, shipping_address: address };
      const placing = { ...body, billing_address: address };
      const paid = expectOne(await customer.post('/v1/orders', placing, once()), 201);
      const pending = expectOne(await customer.post('/v1/orders', placing, once()), 201);
      const patch = async (path: string, changes: object) =>
        expectOne(await staff.patch(path, changes, once()));
      await patch(`/v1/orders/${paid.id}`, { external_id: planted, metadata });
      const pay = { order_id: paid.id, payment_method: 'tok_ok' };
      const payment = expectOne(await customer.post('/v1/payments', pay, once()), 201);
      await patch(`/v1/payments/${payment.id}`, { metadata });
      const amount = { amount: 1, currency: 'EUR' };
      const refunding = { payment_id: payment.id, amount, reason: planted };
      const refund = expectOne(await staff.post('/v1/refunds', refunding, once()), 201);
      await patch(`/v1/refunds/${refund.id}`, { metadata });
      const { id: item_id } = await firstItem(customer, paid);
      const review = { item_id, rating: 5, title: planted, body: planted };
      expectOne(await customer.post('/v1/reviews', review, once()), 201);

      await patch(`/v1/orders/${paid.id}`, { status: 'fulfilled' });

      const erasure = expectOne(await operator.post('/v1/erasures', { user_id: user.id }, once()), 201);
      await service.until(
        async () => expectOne(await operator.get(`/v1/erasures/${erasure.id}`)),
        ({ status }) => status === 'completed',
      );
      expect(expectOne(await staff.get(`/v1/orders/${pending.id}`)).status).to.equal('canceled');
      await service.stop();
      const left = (await databaseTexts(service.databaseUrl)).toLowerCase();
      await service.start();
      expect(left).to.include('@erased.invalid');
      for (const text of [planted, '7391 WOLP']) {
        const at = left.indexOf(text.toLowerCase());
        expect(at === -1 ? '' : left.slice(Math.max(0, at - 200), at + 50), text).to.equal('');
      }
    });
  },
  timing,
);
