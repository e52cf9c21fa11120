import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { describeService, registered } from '../support/service.ts';
import {
  addItem,
  euros,
  newOrder,
  newPayment,
  newProduct,
  offered,
  orderNow,
  refund,
  stockOf,
} from '../support/shop.ts';

describeService('Orders with shipping or a discount', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service, { price: euros(1000) });

  const place = (by: Client, details: object) =>
    by.post('/v1/orders', { product_id: product.id, quantity: 1, ...details });
  const pathOf = ({ id }: Json) => `/v1/orders/${id}`;
  const change = (by: Client, order: Json, changes: object) => by.patch(pathOf(order), changes);

  it('are in one currency', async () => {
    const order = await newOrder(customer, product);
    for (const field of ['shipping', 'discount']) {
      const other = { [field]: { amount: 1, currency: 'JPY' } };
      expectInvalid(await change(staff, order, other), `${field}.currency`);
      expectInvalid(await place(staff, other), `${field}.currency`);
    }
  });

  it('never have a negative total, nor one that is too large', async () => {
    const order = await newOrder(customer, product);
    expectInvalid(await change(staff, order, { discount: euros(1001) }), 'discount');
    expectInvalid(await place(staff, { discount: euros(1001) }), 'discount');
    const tooLarge = { shipping: euros(Number.MAX_SAFE_INTEGER - 999) };
    expectInvalid(await change(staff, order, tooLarge), 'shipping');
    expectInvalid(await place(staff, tooLarge), 'shipping');
    expectOne(await change(staff, order, { shipping: euros(500), discount: euros(1500) }));
    expectInvalid(await change(staff, order, { shipping: euros(499) }), 'discount');
  });

  it('are placed with several items, or take no stock', async () => {
    const counted = await newProduct(service, { price: euros(600), stock: 9, tax_rate: 20 });
    const items = [counted, counted, product].map(({ id }) => ({ product_id: id, quantity: 1 }));
    const body = { items, shipping: euros(300), shipping_tax_rate: 20 };
    expectInvalid(await staff.post('/v1/orders', { ...body, discount: euros(2501) }), 'discount');
    expect(await stockOf(service, counted)).to.equal(9);
    const placed = expectOne(await staff.post('/v1/orders', { ...body, discount: euros(500) }), 201);
    expect(placed).to.deep.include({ items_total: euros(2200), total: euros(2000), item_count: 3 });
    expect(placed.taxes).to.deep.equal([{ rate: 20, gross: euros(1200), net: euros(1000), tax: euros(200) }]);
    expect(await stockOf(service, counted)).to.equal(7);
  });

  it('leave the items to staff, and never get a negative total by them', async () => {
    const order = await newOrder(customer, product, 2);
    const items = `${pathOf(order)}/items`;
    const item = `${items}/${(await customer.get(items)).body.data[0].id}`;
    const more = { product_id: product.id, quantity: 1 };
    for (const changes of [{ discount: euros(1500) }, { shipping: euros(500), discount: euros(0) }]) {
      expectOne(await change(staff, order, changes));
      expectError(await customer.post(items, more), 'INVALID_STATE');
      expectError(await customer.patch(item, { quantity: 1 }), 'INVALID_STATE');
      expectError(await customer.delete(item), 'INVALID_STATE');
    }
    expectOne(await change(staff, order, { shipping: euros(0), discount: euros(1500) }));
    expectError(await staff.patch(item, { quantity: 1 }), 'INVALID_STATE');
    expectOne(await staff.post(items, more), 201);
    expectOne(await staff.patch(item, { quantity: 1 }));
    expect(await orderNow(customer, order)).to.deep.include({
      items_total: euros(2000),
      total: euros(500),
    });
    expectError(await staff.delete(item), 'INVALID_STATE');
    expectOne(await change(staff, order, { discount: euros(0) }));
    expectOne(await customer.patch(item, { quantity: 2 }));
  });

  it('have the taxes of items, shipping and discount, which refunds do not change', async () => {
    const taxed = await newProduct(service, { price: euros(1200), tax_rate: 20 });
    const order = await newOrder(customer, taxed);
    expect(order.taxes).to.deep.equal([{ rate: 20, gross: euros(1200), net: euros(1000), tax: euros(200) }]);
    expectOne(await addItem(customer, order, product), 201);
    const prices = { shipping: euros(110), shipping_tax_rate: 10, discount: euros(231) };
    const { taxes } = expectOne(await change(staff, order, prices));
    expect(taxes).to.deep.equal([
      { rate: 10, gross: euros(99), net: euros(90), tax: euros(9) },
      { rate: 20, gross: euros(1080), net: euros(900), tax: euros(180) },
    ]);
    const payment = await newPayment(customer, order);
    expectOne(await refund(staff, payment, { amount: euros(79) }), 201);
    expect((await orderNow(customer, order)).taxes).to.deep.equal(taxes);
    expectOne(await refund(staff, payment), 201);
    expect(await orderNow(customer, order)).to.deep.include({ status: 'refunded', taxes });
  });
});
