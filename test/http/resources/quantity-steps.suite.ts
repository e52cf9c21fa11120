import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { registered, serviceSuite } from '../support/service.ts';
import {
  addItem,
  euros,
  firstItem,
  newOrder,
  newProduct,
  order,
  orderNow,
  stockOf,
} from '../support/shop.ts';

/** Corrections 1 and 2 of the contract: no line is free that has a price, and `quantity_step` of products. */
export const describeQuantitySteps = serviceSuite('Ordered quantities', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const multipleOf = (step: number, field = 'quantity') => [
    { field, message: `must be a multiple of ${step}` },
  ];

  const rows: readonly (readonly [
    step: number | null,
    accepted: readonly number[],
    rejected: readonly number[],
  ])[] = [
    [1, [2], [1.5, 0.001]],
    [0.25, [0.75], [0.3]],
    [0.1, [0.3], [0.25]],
    [null, [0.001], []],
  ];
  for (const [step, accepted, rejected] of rows)
    it(`are multiples of a step of ${step}, also those of staff`, async () => {
      const product = await newProduct(service, { quantity_step: step });
      expect(product.quantity_step).to.equal(step);
      const basket = await newOrder(customer, await newProduct(service));
      for (const buyer of [customer, staff]) {
        const add = (quantity: number) => addItem(buyer, basket, product, quantity);
        for (const quantity of accepted) {
          expectCreated(await order(buyer, product, quantity), '/v1/orders');
          expectOne(await add(quantity), 201);
        }
        for (const quantity of rejected)
          for (const response of [await order(buyer, product, quantity), await add(quantity)]) {
            expectInvalid(response, 'quantity');
            expect(response.body.error.details).to.deep.equal(multipleOf(step ?? 0));
          }
      }
    });

  it('are checked after missing and unavailable products, and before shortages, each line by itself', async () => {
    const pieces = await newProduct(service, { quantity_step: 1, stock: 2 });
    const rare = await newProduct(service, { stock: 1 });
    const draft = await newProduct(service, { status: 'draft' });
    const of = ({ id }: Json, quantity: number): Json => ({ product_id: id, quantity });
    const place = (...items: readonly Json[]) => customer.post('/v1/orders', { items });
    const bad = [of(rare, 2), of(pieces, 0.5), of(pieces, 1), of(pieces, 0.5)];
    const unavailable = await place(...bad, of(draft, 1));
    expectError(unavailable, 'PRODUCT_UNAVAILABLE', ['items.4.product_id']);
    const response = await place(...bad);
    expectInvalid(response, 'items.1.quantity', 'items.3.quantity');
    expect(response.body.error.details).to.deep.equal([
      ...multipleOf(1, 'items.1.quantity'),
      ...multipleOf(1, 'items.3.quantity'),
    ]);
    expectError(await place(of(rare, 2), of(pieces, 2)), 'OUT_OF_STOCK', ['items.0.product_id']);
    expect([await stockOf(service, pieces), await stockOf(service, rare)]).to.deep.equal([2, 1]);
  });

  for (const stock of [null, 10])
    it(`are bound to it when they change, with a stock of ${stock}, until the product is deleted`, async () => {
      const product = await newProduct(service, { stock });
      const placed = await newOrder(customer, product, 1.5);
      const item = await firstItem(customer, placed);
      const resize = (quantity: number, by: Client = customer) =>
        by.patch(`/v1/orders/${placed.id}/items/${item.id}`, { quantity });
      expectOne(await service.operator.patch(`/v1/products/${product.id}`, { quantity_step: 1 }));
      expect(expectOne(await resize(1.5))).to.deep.equal(item);
      for (const by of [customer, staff])
        for (const quantity of [2.5, 0.5]) {
          const response = await resize(quantity, by);
          expectInvalid(response, 'quantity');
          expect(response.body.error.details).to.deep.equal(multipleOf(1));
        }
      expect(await orderNow(customer, placed)).to.deep.equal(placed);
      expect(expectOne(await resize(1)).quantity).to.equal(1);
      expect(expectOne(await resize(2)).quantity).to.equal(2);
      expect(await stockOf(service, product)).to.equal(stock === null ? null : 8);
      await service.operator.delete(`/v1/products/${product.id}`);
      expect(expectOne(await resize(0.3)).quantity).to.equal(0.3);
    });

  it('are set by staff alone, and a PUT without the step takes it away', async () => {
    const { id } = await newProduct(service, { quantity_step: 1 });
    const path = `/v1/products/${id}`;
    expectError(await customer.patch(path, { quantity_step: null }), 'FORBIDDEN');
    expect(expectOne(await staff.patch(path, { name: 'Tea bag' })).quantity_step).to.equal(1);
    expect(expectOne(await staff.patch(path, { quantity_step: 0.5 })).quantity_step).to.equal(0.5);
    const put = await staff.put(path, { name: 'Tea', price: euros(350) });
    expect(expectOne(put).quantity_step).to.equal(null);
  });

  it('cost at least 1 minor unit when the product has a price, and nothing when it has none', async () => {
    const jam = await newProduct(service, { price: euros(499) });
    const free = await newProduct(service, { price: euros(0) });
    const items = Array.from({ length: 9 }, () => ({ product_id: jam.id, quantity: 0.001 }));
    const response = await customer.post('/v1/orders', {
      items: [...items, { product_id: free.id, quantity: 1 }],
    });
    const placed = expectCreated(response, '/v1/orders');
    expect(placed).to.deep.include({ total: euros(9), items_total: euros(9) });
    const item = await firstItem(customer, placed);
    expect(item.total).to.deep.equal(euros(1));
    const path = `/v1/orders/${placed.id}/items/${item.id}`;
    expect(expectOne(await customer.patch(path, { quantity: 1 })).total).to.deep.equal(euros(499));
    expect(expectOne(await customer.patch(path, { quantity: 0.001 })).total).to.deep.equal(euros(1));
    expect((await orderNow(customer, placed)).total).to.deep.equal(euros(9));
  });

  it('are free of the step in stock and in changes of it', async () => {
    const { id } = await newProduct(service, { quantity_step: 1, stock: 0.5 });
    const change = await staff.post('/v1/stock-changes', { product_id: id, change: 0.001 });
    expect(expectCreated(change, '/v1/stock-changes').stock_after).to.equal(0.501);
    expect(expectOne(await staff.patch(`/v1/products/${id}`, { stock: 2.25 })).stock).to.equal(2.25);
  });
});
