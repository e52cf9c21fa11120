import { readFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { backupSqlite } from '#adapters/persistence/sqlite/files/backup.ts';
import { databaseTexts } from '../../support/database-texts.ts';
import { Client } from '../support/client.ts';
import { expectList, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { firstItem, newProduct } from '../support/shop.ts';

const planted = 'Wolpertinger-7391';
/** What clients chose: ids of requests, and keys, which stay in their rows until they expire. */
const [plantedId, plantedKey] = ['elwetritsch-11', 'rasselbock-4242'];
let keys = 0;
const chosen = (): Record<string, string> => {
  keys += 1;
  return { 'Idempotency-Key': `${plantedKey}-${keys}`, 'X-Request-Id': `${plantedId}-${keys}` };
};
const timing = { credentialTtlMs: 50, erasureQuietMs: 300 };
const texts = { name: planted, company: planted, line1: planted, line2: planted, postal_code: '7391 WOLP' };
const address = { ...texts, city: planted, region: planted, country: 'AT', phone: planted };
const metadata = { planted };

/** @throws when a backup that is made now has one of the texts */
const expectInNoBackup = async (url: string, ...texts: readonly string[]): Promise<void> => {
  const from = url.slice('sqlite:'.length);
  const to = `${from}.backup`;
  await backupSqlite({ from, to, signal: new AbortController().signal, show: () => undefined });
  const content = readFileSync(to, 'latin1').toLowerCase();
  rmSync(to);
  for (const text of texts)
    expect(content.includes(text.toLowerCase()), `a backup with ${text}`).to.equal(false);
};

export const describeErasedUser = serviceSuite(
  'An erased user',
  { RECONCILE_AFTER_MS: '500' },
  (service, kind) => {
    it('has left none of their texts in the database', async () => {
      const { operator } = service;
      const staff = await service.person('staff');
      const details = { email: `${planted}@example.com`, name: planted, external_id: planted, metadata };
      const user = expectOne(await operator.post('/v1/users', details, chosen()), 201);
      const newKey = async (by: Client) => {
        const body = { name: planted, user_id: user.id };
        return expectOne(await by.post('/v1/api-keys', body, chosen()), 201);
      };
      const customer = new Client(() => service.url, (await newKey(operator)).token);
      await newKey(customer);
      expectOne(await customer.patch(`/v1/users/${user.id}`, { name: `${planted} II` }, chosen()));
      const product = await newProduct(service, { stock: 2 });
      const other = await newProduct(service);
      const forUser = { user_id: user.id, product_id: other.id, quantity: 1 };
      const body = { product_id: product.id, quantity: 1, note: planted, shipping_address: address };
      const placing = { ...body, billing_address: address };
      const paid = expectOne(await customer.post('/v1/orders', placing, chosen()), 201);
      // It empties the stock, and its product has an event of a request without a key.
      const { 'Idempotency-Key': _, ...withoutKey } = chosen();
      const pending = expectOne(await customer.post('/v1/orders', placing, withoutKey), 201);
      const patch = async (path: string, changes: object) =>
        expectOne(await staff.patch(path, changes, chosen()));
      await patch(`/v1/orders/${paid.id}`, { external_id: planted, metadata });
      const pay = { order_id: paid.id, payment_method: 'tok_ok' };
      const payment = expectOne(await customer.post('/v1/payments', pay, chosen()), 201);
      await patch(`/v1/payments/${payment.id}`, { metadata });
      const amount = { amount: 1, currency: 'EUR' };
      const refunding = { payment_id: payment.id, amount, reason: planted };
      const refund = expectOne(await staff.post('/v1/refunds', refunding, chosen()), 201);
      await patch(`/v1/refunds/${refund.id}`, { metadata });
      const { id: item_id } = await firstItem(customer, paid);
      // Neither response has the id of the user.
      const authorized = expectOne(await staff.post('/v1/orders', forUser, chosen()), 201);
      const line = { product_id: other.id, quantity: 2 };
      expectOne(await staff.post(`/v1/orders/${authorized.id}/items`, line, chosen()), 201);
      const holding = { order_id: authorized.id, payment_method: 'tok_ok', capture: 'manual' };
      const held = expectOne(await staff.post('/v1/payments', holding, chosen()), 201);
      expectOne(await staff.post('/v1/captures', { payment_id: held.id }, chosen()), 201);
      const review = { item_id, rating: 5, title: planted, body: planted };
      expectOne(await customer.post('/v1/reviews', review, chosen()), 201);

      for (const { id } of [paid, authorized]) await patch(`/v1/orders/${id}`, { status: 'fulfilled' });

      const erasure = expectOne(await operator.post('/v1/erasures', { user_id: user.id }, chosen()), 201);
      await service.until(
        async () => expectOne(await operator.get(`/v1/erasures/${erasure.id}`)),
        ({ status }) => status === 'completed',
      );
      expect(expectOne(await staff.get(`/v1/orders/${pending.id}`)).status).to.equal('canceled');
      const shown = async (path: string, by = operator) => expectList(await by.get(`${path}limit=100`));
      for (const row of await shown('/v1/idempotency-keys?', staff)) expect(row.key, row.path).to.equal(null);
      expect(await shown('/v1/idempotency-keys?', staff)).not.to.deep.equal([]);
      const events = await shown('/v1/events?');
      expect(events.some(({ type }) => type === 'product.out_of_stock')).to.equal(true);
      expect(JSON.stringify(events)).not.to.include(plantedId).and.not.to.include(plantedKey);
      await service.stop();
      if (kind === 'sqlite') await expectInNoBackup(service.databaseUrl, planted, plantedId);
      const left = (await databaseTexts(service.databaseUrl)).toLowerCase();
      await service.start();
      expect(left).to.include('@erased.invalid');
      for (const text of [planted, '7391 WOLP', plantedId]) {
        const at = left.indexOf(text.toLowerCase());
        expect(at === -1 ? '' : left.slice(Math.max(0, at - 200), at + 50), text).to.equal('');
      }
    });
  },
  timing,
);
