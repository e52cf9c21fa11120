import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeService } from '../support/service.ts';
import { newOrder, newProduct } from '../support/shop.ts';

const unreachable = ['https://a..b/', 'https://-a.example/', `https://${'a'.repeat(64)}.example/`];

describeService('Addresses that can never be reached', {}, (service) => {
  for (const url of unreachable) {
    it(`such as ${url} are rejected`, async () => {
      const { operator } = service;
      const product = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };
      const ok = 'https://example.com/1.jpg';
      const created = await operator.post('/v1/products', { ...product, image_urls: [ok, url] });
      expectProblem(created, '422 VALIDATION_ERROR', ['image_urls']);
      expect(created.body.error.details[0].message).to.match(/whose name can exist.* \(item 2\)$/);
      const { id } = await newProduct(service);
      const changed = await operator.patch(`/v1/products/${id}`, { image_urls: [url] });
      expectProblem(changed, '422 VALIDATION_ERROR', ['image_urls']);
      expectProblem(await operator.post('/v1/webhook-endpoints', { url }), '422 VALIDATION_ERROR', ['url']);
      const { id: order } = await newOrder(service.operator, await newProduct(service));
      const payment = { order_id: order, payment_method: 'tok_ok', payer_present: true, return_url: url };
      const paid = await operator.post('/v1/payments', payment, { 'Idempotency-Key': url.slice(0, 30) });
      expectProblem(paid, '422 VALIDATION_ERROR', ['return_url']);
    });
  }
});
