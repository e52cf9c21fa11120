import { mock } from 'node:test';
import { expect } from 'chai';
import { testShop } from '#bootstrap/testing/test-shop.ts';

/** `rule-speed.night.test.ts` measures the tests of the guide. */
describe('The shop in which a rule is tested', () => {
  it('waits for no timer when orders are placed, paid and expire', async () => {
    const timers = mock.method(globalThis, 'setTimeout');
    try {
      const { customer, newProduct, placeOrder, pay, advance, backgroundJobs } = await testShop();
      const tea = await newProduct({ stock: 10 });
      await pay(customer, await placeOrder(customer, tea));
      await Promise.all(Array.from({ length: 5 }, () => placeOrder(customer, tea)));
      advance(24 * 3_600_000 + 1);
      await backgroundJobs.expireOrders();
      expect(timers.mock.callCount()).to.equal(0);
    } finally {
      timers.mock.restore();
    }
  });
});
