import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError } from '../support/expectations.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { addItem, newOrder, newPaidOrder, newProduct, orderNow, pay, stockOf } from '../support/shop.ts';

/** Orders expire after 0.6 seconds, and the background jobs run more often. */
const hurried = { ORDER_TTL_MINUTES: '0.01', RECONCILE_AFTER_MS: '500' };

describeServiceInSimulatedTime(
  'An order that is not paid in time',
  hurried,
  (service) => {
    it('is canceled and releases its stock, while a paid order stays', async () => {
      const customer = await service.person('customer');
      const tea = await newProduct(service, { stock: 10 });
      const coffee = await newProduct(service, { stock: 10 });
      const paid = await newPaidOrder(customer, tea, 1);
      const paying = await newOrder(customer, tea, 2);
      const slow = pay(customer, paying, 'tok_slow');
      const unpaid = await newOrder(customer, tea, 3);
      expectCreated(await addItem(customer, unpaid, coffee, 4), `/v1/orders/${unpaid.id}/items`);

      const isCanceled = ({ status }: Json) => status === 'canceled';
      const canceled = await service.until(() => orderNow(customer, unpaid), isCanceled);
      const age = Date.parse(canceled.updated_at) - Date.parse(canceled.created_at);
      expect(age).to.be.at.least(600);
      expect(await stockOf(service, tea)).to.equal(7);
      expect(await stockOf(service, coffee)).to.equal(10);
      expectError(await pay(customer, unpaid), 'INVALID_STATE');
      expect((await orderNow(customer, paid)).status).to.equal('paid');

      // The provider took longer than the expiry, but a payment was pending, so the order must not expire.
      expectCreated(await slow, '/v1/payments');
      expect((await orderNow(customer, paying)).status).to.equal('paid');
      expect(await stockOf(service, tea)).to.equal(7);
    });
  },
  { kind: 'sqlite' },
);
