import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, notNull, orderedLimit } from '../support/limits.ts';
import { describeService, registered } from '../support/service.ts';
import {
  addItem,
  euros,
  firstItem,
  newOrder,
  newProduct,
  nowhere,
  offered,
  orderNow,
} from '../support/shop.ts';

describeService('Order items', {}, (service) => {
  const customer = registered(service, 'customer');
  const other = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const tea = offered(service);
  const coffee = offered(service, { name: 'Coffee', price: euros(1000) });
  let basket: Json;
  let items: string;

  beforeEach(async () => {
    basket = await newOrder(customer, tea);
    items = `/v1/orders/${basket.id}/items`;
  });

  const newItem = async (quantity = 1): Promise<Json> =>
    expectCreated(await addItem(customer, basket, coffee, quantity), items);

  describe('added', () => {
    it('copy the product’s name and price, and add to the total', async () => {
      const { id, version, created_at, updated_at, ...fields } = await newItem(1.5);
      expect(fields).to.deep.equal({
        order_id: basket.id,
        product_id: coffee.id,
        product_name: 'Coffee',
        unit_price: euros(1000),
        quantity: 1.5,
        tax_rate: null,
        total: euros(1500),
      });
      const after = await orderNow(customer, basket);
      expect(after).to.deep.include({ item_count: 2, total: euros(1850), version: 2 });
    });

    it('stay unchanged when their product is changed or deleted', async () => {
      const passing = await newProduct(service, { name: 'Passing', tax_rate: 7 });
      const item = expectCreated(await addItem(customer, basket, passing), items);
      await service.operator.patch(`/v1/products/${passing.id}`, {
        ...{ name: 'Changed', price: euros(1), tax_rate: 20 },
      });
      expect(expectOne(await customer.get(`${items}/${item.id}`))).to.deep.equal(item);
      expect(item.tax_rate).to.equal(7);
      await service.operator.delete(`/v1/products/${passing.id}`);
      expect(expectOne(await customer.get(`${items}/${item.id}`))).to.deep.equal(item);
      expect((await orderNow(customer, basket)).item_count).to.equal(2);
    });

    it('can have the same product twice', async () => {
      expectCreated(await addItem(customer, basket, tea), items);
      expect(expectList(await customer.get(items))).to.have.lengthOf(2);
    });

    it('need an existing, active product', async () => {
      expectInvalid(await customer.post(items, {}), 'product_id', 'quantity');
      expectInvalid(await customer.post(items, { product_id: 'tea', quantity: 1 }), 'product_id');
      expectError(await addItem(customer, basket, { id: nowhere }), 'PRODUCT_NOT_FOUND');
      for (const status of ['draft', 'archived']) {
        const unsold = await newProduct(service, { status });
        expectError(await addItem(customer, basket, unsold), 'PRODUCT_UNAVAILABLE');
      }
      expect(await orderNow(customer, basket)).to.deep.equal(basket);
    });

    it('need the currency of their order', async () => {
      const foreign = await newProduct(service, { price: { amount: 1, currency: 'USD' }, stock: 5 });
      expectInvalid(await addItem(customer, basket, foreign), 'product_id');
      const { stock } = expectOne(await staff.get(`/v1/products/${foreign.id}`));
      expect(stock).to.equal(5);
    });

    it('added by twenty clients at once are all stored and in the total', async () => {
      await Promise.all(Array.from({ length: 20 }, () => newItem()));
      const after = await orderNow(customer, basket);
      expect(after).to.deep.include({ item_count: 21, total: euros(20_350), version: 21 });
      expect(expectList(await customer.get(`${items}?limit=100`))).to.have.lengthOf(21);
    });

    const whole = { product_id: nowhere, quantity: 1 };
    const send = (body: Json) => customer.post(items, { ...body, product_id: tea.id });
    it('are at most 200 of an order, also when several are added at once', async () => {
      const lines = Array.from({ length: 100 }, () => ({ product_id: tea.id, quantity: 1 }));
      const full = expectCreated(await customer.post('/v1/orders', { items: lines }), '/v1/orders');
      const add = () => addItem(customer, full, tea);
      const added = await Promise.all(Array.from({ length: 99 }, add));
      expect(new Set(added.map(({ status }) => status))).to.deep.equal(new Set([201]));
      const last = await Promise.all(Array.from({ length: 5 }, add));
      const rejected = last.filter(({ status }) => status !== 201);
      expect(rejected).to.have.lengthOf(4);
      for (const response of rejected) expectError(response, 'CONFLICT');
      expect((await orderNow(customer, full)).item_count).to.equal(200);
    });

    describeLimits({ quantity: notNull(orderedLimit) }, whole, send);
    describeReadOnly(['order_id', 'product_name', 'unit_price', 'total'], whole, send);
  });

  describe('changed', () => {
    const patch = async (body: Json, headers = {}) =>
      customer.patch(`${items}/${(await firstItem(customer, basket)).id}`, body, headers);

    it('in quantity update the order’s total', async () => {
      const after = expectOne(await patch({ quantity: 3 }));
      expect(after).to.deep.include({ quantity: 3, total: euros(1050), version: 2 });
      expect(await orderNow(customer, basket)).to.deep.include({ total: euros(1050), version: 2 });
    });

    it('keep the price at which they were added', async () => {
      const passing = await newProduct(service, { price: euros(100) });
      const item = expectCreated(await addItem(customer, basket, passing), items);
      await service.operator.patch(`/v1/products/${passing.id}`, { price: euros(999) });
      const after = expectOne(await customer.patch(`${items}/${item.id}`, { quantity: 2 }));
      expect(after).to.deep.include({ unit_price: euros(100), total: euros(200) });
    });

    it('keep their version and the order’s when nothing changes', async () => {
      expect(expectOne(await patch({})).version).to.equal(1);
      expect(expectOne(await patch({ quantity: 1 })).version).to.equal(1);
      expect(await orderNow(customer, basket)).to.deep.equal(basket);
    });

    it('of an inactive product can only decrease in quantity', async () => {
      const passing = await newProduct(service);
      const path = `${items}/${expectCreated(await addItem(customer, basket, passing, 5), items).id}`;
      await service.operator.patch(`/v1/products/${passing.id}`, { status: 'archived' });
      expectError(await customer.patch(path, { quantity: 6 }), 'PRODUCT_UNAVAILABLE');
      expectOne(await customer.patch(path, { quantity: 4 }));
      await service.operator.delete(`/v1/products/${passing.id}`);
      expectError(await customer.patch(path, { quantity: 6 }), 'PRODUCT_UNAVAILABLE');
      expectOne(await customer.patch(path, { quantity: 3 }));
    });

    describeLimits({ quantity: notNull(orderedLimit) }, {}, patch);
    describeReadOnly(['order_id', 'product_id', 'product_name', 'unit_price', 'total'], {}, patch);
  });

  describe('removed', () => {
    it('are not found afterwards, and not in the total', async () => {
      const path = `${items}/${(await newItem()).id}`;
      expectError(await customer.delete(path, { 'If-Match': '"2"' }), 'PRECONDITION_FAILED');
      expectNoContent(await customer.delete(path, { 'If-Match': '"1"' }));
      expectError(await customer.get(path), 'NOT_FOUND');
      expectError(await customer.delete(path), 'NOT_FOUND');
      expect(await orderNow(customer, basket)).to.deep.include({ item_count: 1, total: euros(350) });
    });

    it('leave one item, even when two are removed at once', async () => {
      const [one, two] = [await firstItem(customer, basket), await newItem()];
      const responses = await Promise.all([one, two].map(({ id }) => customer.delete(`${items}/${id}`)));
      expect(responses.map(({ status }) => status)).to.have.members([204, 409]);
      for (const response of responses) if (response.status === 409) expectError(response, 'INVALID_STATE');
      expect((await orderNow(customer, basket)).item_count).to.equal(1);
    });
  });

  describe('read', () => {
    it('are listed under their order, and found there one by one', async () => {
      const [one, two] = [await firstItem(customer, basket), await newItem()];
      expect(expectList(await customer.get(items))).to.deep.equal([one, two]);
      expect(expectOne(await staff.get(`${items}/${two.id}`))).to.deep.equal(two);
      expect((await staff.get(`${items}/${two.id}`, { 'If-None-Match': '"1"' })).status).to.equal(304);
      expectInvalid(await customer.get(`${items}?product_id=${coffee.id}`), 'product_id');
    });

    it('and written by their order’s owner and by staff only', async () => {
      const path = `${items}/${(await newItem()).id}`;
      expectError(await other.get(items), 'FORBIDDEN');
      expectError(await other.get(path), 'FORBIDDEN');
      expectError(await addItem(other, basket, tea), 'FORBIDDEN');
      expectError(await other.patch(path, { quantity: 2 }), 'FORBIDDEN');
      expectError(await other.delete(path), 'FORBIDDEN');
      expectOne(await addItem(staff, basket, tea), 201);
      expectOne(await staff.patch(path, { quantity: 2 }));
      expectNoContent(await staff.delete(path));
    });
  });
});
