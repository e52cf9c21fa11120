import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { describeService } from '../support/service.ts';
import { euros, newProduct, productDefaults, tea } from '../support/shop.ts';

describeService('Products', {}, (service) => {
  it('are created from a name and a price, with defaults for the rest', async () => {
    const staff = await service.person('staff');
    const product = expectCreated(await staff.post('/v1/products', tea), '/v1/products');
    const { id, version, created_at, updated_at, ...fields } = product;
    expect({ version, updated_at }).to.deep.equal({ version: 1, updated_at: created_at });
    expect(fields).to.deep.equal({ ...tea, ...productDefaults });
    expect(expectOne(await staff.get(`/v1/products/${id}`))).to.deep.equal(product);
  });

  it('are created with every field', async () => {
    const whole = {
      ...{ ...tea, description: 'Green', sku: 'T-1', status: 'draft', stock: 2.5, quantity_step: 0.5 },
      ...{ image_urls: ['https://example.com/1.jpg', 'https://example.com/2.jpg'], tags: ['tea', 'green'] },
      ...{ tax_rate: 12.005, metadata: { origin: 'Uji', 'a.b-c_D': '' } },
    };
    expect(await newProduct(service, whole)).to.deep.include(whole);
  });

  it('need a name and a price with amount and currency', async () => {
    expectInvalid(await service.operator.post('/v1/products', {}), 'name', 'price');
    const half = { name: 'Tea', price: {} };
    expectInvalid(await service.operator.post('/v1/products', half), 'price.amount', 'price.currency');
  });

  it('are not found after deletion', async () => {
    const { id } = await newProduct(service);
    expectNoContent(await service.operator.delete(`/v1/products/${id}`));
    expectError(await service.operator.get(`/v1/products/${id}`), 'PRODUCT_NOT_FOUND');
    expectError(await service.operator.delete(`/v1/products/${id}`), 'PRODUCT_NOT_FOUND');
  });

  describe('with a unique sku', () => {
    it('cannot be created with the sku of another', async () => {
      await newProduct(service, { sku: 'taken' });
      const second = await service.operator.post('/v1/products', { ...tea, sku: 'taken' });
      expectError(second, 'CONFLICT', ['sku']);
      await newProduct(service, { sku: 'TAKEN' });
    });

    it('cannot be given the sku of another, and can keep their own', async () => {
      await newProduct(service, { sku: 'mine' });
      const { id } = await newProduct(service, { sku: 'yours' });
      const path = `/v1/products/${id}`;
      expectError(await service.operator.patch(path, { sku: 'mine' }), 'CONFLICT', ['sku']);
      expectError(await service.operator.put(path, { ...tea, sku: 'mine' }), 'CONFLICT', ['sku']);
      expect(expectOne(await service.operator.get(path))).to.include({ sku: 'yours', version: 1 });
      expectOne(await service.operator.put(path, { ...tea, sku: 'yours' }));
    });

    it('can take a sku that has become free, and only one of two concurrent clients gets it', async () => {
      const { id } = await newProduct(service, { sku: 'free' });
      await service.operator.delete(`/v1/products/${id}`);
      const send = () => service.operator.post('/v1/products', { ...tea, sku: 'free' });
      const responses = await Promise.all([send(), send(), send()]);
      expect(responses.map(({ status }) => status)).to.have.members([201, 409, 409]);
    });
  });

  describe('in a list', () => {
    let products: Json[];

    before(async () => {
      products = [];
      for (const status of ['active', 'draft', 'archived']) {
        products.push(await newProduct(service, { status, sku: `listed-${status}`, price: euros(0) }));
      }
    });

    it('are filtered by status, by sku, and by both', async () => {
      const [active, draft] = products;
      const drafts = expectList(await service.operator.get('/v1/products?status=draft&limit=100'));
      expect(idsOf(drafts)).to.include(draft.id).and.not.include(active.id);
      expect(drafts.every(({ status }) => status === 'draft')).to.equal(true);
      const bySku = await service.operator.get('/v1/products?sku=listed-draft');
      expect(expectList(bySku)).to.deep.equal([draft]);
      const both = await service.operator.get('/v1/products?sku=listed-draft&status=active');
      expect(expectList(both)).to.deep.equal([]);
    });

    it('are only the active ones for customers, whatever the filter', async () => {
      const customer = await service.person('customer');
      const all = expectList(await customer.get('/v1/products?limit=100'));
      expect(idsOf(all)).to.include(products[0].id);
      expect(all.every(({ status }) => status === 'active')).to.equal(true);
      for (const query of ['status=draft', 'status=archived', 'sku=listed-draft']) {
        expect(expectList(await customer.get(`/v1/products?${query}`)), query).to.deep.equal([]);
      }
      const active = await customer.get('/v1/products?status=active&sku=listed-active');
      expect(expectList(active)).to.deep.equal([products[0]]);
    });

    it('are not found by customers unless they are active', async () => {
      const customer = await service.person('customer');
      const [active, draft, archived] = products;
      expectOne(await customer.get(`/v1/products/${active.id}`));
      expectError(await customer.get(`/v1/products/${draft.id}`), 'PRODUCT_NOT_FOUND');
      expectError(await customer.get(`/v1/products/${archived.id}`), 'PRODUCT_NOT_FOUND');
    });
  });
});
