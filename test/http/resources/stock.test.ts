import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError, expectNoContent, expectOne } from '../support/expectations.ts';
import { describeService, registered } from '../support/service.ts';
import {
  addItem,
  firstItem,
  newOrder,
  newPaidOrder,
  newProduct,
  order,
  paymentsOf,
  refund,
  stockOf,
} from '../support/shop.ts';

describeService('Stock', {}, (service) => {
  const customer = registered(service, 'customer');
  let tea: Json;

  beforeEach(async () => {
    tea = await newProduct(service, { stock: 5 });
  });

  const cancel = ({ id }: Json) => customer.patch(`/v1/orders/${id}`, { status: 'canceled' });
  const change = (product: Json, fields: object) =>
    service.operator.patch(`/v1/products/${product.id}`, fields);

  it('is reserved by an order and by each added item', async () => {
    const basket = await newOrder(customer, tea, 2);
    expect(await stockOf(service, tea)).to.equal(3);
    await addItem(customer, basket, tea, 1.5);
    expect(await stockOf(service, tea)).to.equal(1.5);
  });

  it('is reserved or released by the difference when an item changes', async () => {
    const basket = await newOrder(customer, tea, 2);
    const path = `/v1/orders/${basket.id}/items/${(await firstItem(customer, basket)).id}`;
    expectOne(await customer.patch(path, { quantity: 5 }));
    expect(await stockOf(service, tea)).to.equal(0);
    expectOne(await customer.patch(path, { quantity: 0.001 }));
    expect(await stockOf(service, tea)).to.equal(4.999);
  });

  it('is released when an item is removed and when its order is canceled', async () => {
    const basket = await newOrder(customer, tea, 2);
    const item = expectOne(await addItem(customer, basket, tea, 3), 201);
    expectNoContent(await customer.delete(`/v1/orders/${basket.id}/items/${item.id}`));
    expect(await stockOf(service, tea)).to.equal(3);
    expectOne(await cancel(basket));
    expect(await stockOf(service, tea)).to.equal(5);
  });

  it('is released once, even when two clients cancel at once', async () => {
    const basket = await newOrder(customer, tea, 2);
    await Promise.all([cancel(basket), cancel(basket), cancel(basket)]);
    expect(await stockOf(service, tea)).to.equal(5);
  });

  it('is released when a paid order is refunded before fulfillment', async () => {
    const paid = await newPaidOrder(customer, tea, 2);
    const [payment] = await paymentsOf(customer, paid);
    expectCreated(
      await refund(service.operator, payment, { amount: { amount: 1, currency: 'EUR' } }),
      '/v1/refunds',
    );
    expect(await stockOf(service, tea)).to.equal(3);
    expectCreated(await refund(service.operator, payment), '/v1/refunds');
    expect(await stockOf(service, tea)).to.equal(5);
  });

  it('rejects an order for more than there is, and stays unchanged', async () => {
    expectError(await order(customer, tea, 5.001), 'OUT_OF_STOCK');
    const basket = await newOrder(customer, tea, 4);
    const path = `/v1/orders/${basket.id}/items/${(await firstItem(customer, basket)).id}`;
    expectError(await addItem(customer, basket, tea, 2), 'OUT_OF_STOCK');
    expectError(await customer.patch(path, { quantity: 6 }), 'OUT_OF_STOCK');
    expect(await stockOf(service, tea)).to.equal(1);
    expect(expectOne(await customer.get(`/v1/orders/${basket.id}`))).to.deep.equal(basket);
  });

  it('is unlimited when it is null', async () => {
    const endless = await newProduct(service);
    await newOrder(customer, endless, 1_000_000);
    expect(await stockOf(service, endless)).to.equal(null);
    expect(expectOne(await service.operator.get(`/v1/products/${endless.id}`)).version).to.equal(1);
  });

  it('gets back only what was reserved from it', async () => {
    const endless = await newProduct(service);
    const basket = await newOrder(customer, endless, 3);
    await change(endless, { stock: 10 });
    expectOne(await cancel(basket));
    expect(await stockOf(service, endless)).to.equal(10);
  });

  it('stays null when it is null, whatever is released', async () => {
    const basket = await newOrder(customer, tea, 3);
    await change(tea, { stock: null });
    expectOne(await cancel(basket));
    expect(await stockOf(service, tea)).to.equal(null);
  });

  it('can be deleted with its product, and the order can still be canceled', async () => {
    const basket = await newOrder(customer, tea, 3);
    await service.operator.delete(`/v1/products/${tea.id}`);
    expect(expectOne(await cancel(basket)).status).to.equal('canceled');
  });

  it('sells the last unit once to fifty concurrent clients', async () => {
    const last = await newProduct(service, { stock: 1 });
    const responses = await Promise.all(Array.from({ length: 50 }, () => order(customer, last)));
    const sold = responses.filter(({ status }) => status === 201);
    expect(sold).to.have.lengthOf(1);
    for (const response of responses) {
      if (!sold.includes(response)) expectError(response, 'OUT_OF_STOCK');
    }
    expect(await stockOf(service, last)).to.equal(0);
  });

  it('is exact after many concurrent orders and cancellations', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => newOrder(customer, tea)));
    const again = Array.from({ length: 5 }, () => order(customer, tea));
    const responses = await Promise.all([...orders.map(cancel), ...again]);
    const sold = responses.filter(({ status }) => status === 201).length;
    expect(await stockOf(service, tea)).to.equal(5 - sold);
  });
});
