import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectInvalid, expectOne } from '../support/expectations.ts';
import { describeService, registered } from '../support/service.ts';
import {
  addItem,
  euros,
  firstItem,
  newOrder,
  newPaidOrder,
  newProduct,
  order,
  orderNow,
} from '../support/shop.ts';

const most = Number.MAX_SAFE_INTEGER;

/** A price, a quantity, and their product. */
const lines: readonly (readonly [price: number, quantity: number, total: number])[] = [
  [333, 0.5, 167],
  [1, 0.5, 1],
  [1, 0.499, 1],
  [1, 1.499, 1],
  [5, 0.1, 1],
  [100, 1.005, 101],
  [1999, 0.333, 666],
  [0, 1_000_000, 0],
  [9_007_199_254, 1_000_000, 9_007_199_254_000_000],
  [most, 1, most],
  [most, 0.001, 9_007_199_254_741],
  [most, 0.999, 8_998_192_055_486_250],
];

describeService('Sums', {}, (service) => {
  const customer = registered(service, 'customer');

  const priced = (amount: number): Promise<Json> => newProduct(service, { price: euros(amount) });

  for (const [price, quantity, total] of lines) {
    it(`are exact, round half a cent up, and are at least a cent unless the price is 0: ${quantity} at ${price} are ${total}`, async () => {
      const placed = await newOrder(customer, await priced(price), quantity);
      expect(placed.total).to.deep.equal(euros(total));
      expect((await firstItem(customer, placed)).total).to.deep.equal(euros(total));
    });
  }

  it('of an order add its rounded item totals', async () => {
    const product = await priced(1);
    const basket = await newOrder(customer, product, 0.5);
    await addItem(customer, basket, product, 0.5);
    await addItem(customer, basket, product, 1.499);
    expect((await orderNow(customer, basket)).total).to.deep.equal(euros(3));
  });

  it('that exceed the largest amount are rejected', async () => {
    const dear = await priced(most);
    expectInvalid(await order(customer, dear, 1.001), 'quantity');
    const basket = await newOrder(customer, dear);
    expectInvalid(await addItem(customer, basket, await priced(1)), 'quantity');
    const path = `/v1/orders/${basket.id}/items/${(await firstItem(customer, basket)).id}`;
    expectInvalid(await customer.patch(path, { quantity: 2 }), 'quantity');
    expectOne(await customer.patch(path, { quantity: 0.5 }));
    expect(await orderNow(customer, basket)).to.deep.include({ item_count: 1, total: euros(2 ** 52) });
  });

  it('are in the minor unit of any currency', async () => {
    const product = await newProduct(service, { price: { amount: 3, currency: 'JPY' } });
    const placed = await newOrder(customer, product, 1.5);
    expect(placed).to.deep.include({ currency: 'JPY', total: { amount: 5, currency: 'JPY' } });
  });

  it('of zero, and of the largest amount, can be paid', async () => {
    expect((await newPaidOrder(customer, await priced(0))).status).to.equal('paid');
    expect((await newPaidOrder(customer, await priced(most))).status).to.equal('paid');
  });
});
