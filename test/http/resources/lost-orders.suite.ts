import { expect } from 'chai';
import { aftermathMs, disputeLostMs } from '#adapters/payment/sandbox/scenarios.ts';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectList, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { euros, newOrder, newProduct, orderNow, pay, stockOf } from '../support/shop.ts';

export const describeLostOrders = serviceSuite(
  'A paid order whose money is lost in a dispute',
  { PROVIDER_EVENTS_POLL_MS: '100' },
  (service) => {
    it('is canceled by staff once the dispute is lost, and its stock comes back', async () => {
      const [customer, staff] = [await service.person('customer'), await service.person('staff')];
      const product = await newProduct(service, { stock: 10, price: euros(1000) });
      const order = await newOrder(customer, product);
      const payment = expectCreated(await pay(customer, order, 'tok_dispute'), '/v1/payments');
      const cancel = (by: Client): Promise<ApiResponse> =>
        by.patch(`/v1/orders/${order.id}`, { status: 'canceled' });
      const dispute = (): Promise<Json | undefined> =>
        staff.get(`/v1/disputes?order_id=${order.id}`).then((found) => expectList(found)[0]);

      expectError(await cancel(staff), 'INVALID_STATE');
      await service.advance(aftermathMs);
      const open = await service.until(dispute, (found) => found !== undefined);
      const rejected = await cancel(staff);
      expectError(rejected, 'INVALID_STATE');
      expect(rejected.body.error.message).to.contain(`The dispute ${open?.id} is needs_response.`);
      await service.advance(disputeLostMs);
      await service.until(dispute, (found) => found?.status === 'lost');

      expectError(await cancel(customer), 'INVALID_STATE');
      const before = await stockOf(service, product);
      const canceled = expectOne(await cancel(staff));
      expect(canceled).to.include({ status: 'canceled' });
      expect(await stockOf(service, product)).to.equal((before ?? 0) + 1);
      expect(await orderNow(customer, order)).to.deep.equal(canceled);
      expect(expectOne(await staff.get(`/v1/payments/${payment.id}`))).to.deep.include({
        ...{ status: 'succeeded', disputed: euros(1000) },
      });
      const events = await service.until(
        async () => expectList(await staff.get(`/v1/events?order_id=${order.id}`)),
        (found) => found.some(({ type }) => type === 'order.canceled'),
      );
      expect(events.filter(({ type }) => type === 'order.canceled')).to.have.lengthOf(1);
    });
  },
);
