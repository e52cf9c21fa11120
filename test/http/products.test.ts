import { expect } from 'chai';
import { describeService } from './service.ts';

describeService('Products', {}, (service) => {
  it('answers a created product with its place, its version and its fields', async () => {
    const staff = await service.person('staff');
    const answer = await staff.post('/v1/products', { name: 'Tea', price: { amount: 350, currency: 'EUR' } });

    expect(answer.status).to.equal(201);
    expect(answer.headers.get('Location')).to.equal(`/v1/products/${answer.body.data.id}`);
    expect(answer.headers.get('ETag')).to.equal('"1"');
    expect(answer.body.data).to.include({
      name: 'Tea',
      status: 'active',
      stock: null,
      sku: null,
      version: 1,
    });
  });
});
