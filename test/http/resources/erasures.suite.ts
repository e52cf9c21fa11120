import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectError, expectList, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newOrder, newPaidOrder, newProduct, once, order, orderNow, pay, stockOf } from '../support/shop.ts';

const timing = { credentialTtlMs: 50 };
/** Longer than the timeout of a request and the lifetime of a credential: no request of before the erasure is left. */
const quietMs = 11_000;
const environment = { RECONCILE_AFTER_MS: '500' };
const planted = 'Grace Hopper of Arlington';

export const describeErasure = serviceSuite(
  'An erasure',
  environment,
  (service) => {
    const erase = (userId: string) => service.operator.post('/v1/erasures', { user_id: userId });
    const completed = async (erasure: Json) => {
      await service.advance(quietMs);
      return service.until(
        async () => expectOne(await service.operator.get(`/v1/erasures/${erasure.id}`)),
        ({ status }) => status === 'completed',
      );
    };

    it('empties what the user has written, and keeps their orders and payments', async () => {
      const customer = await service.person('customer');
      const tea = await newProduct(service, { stock: 10 });
      const paid = await newPaidOrder(customer, tea, 2);
      const pending = await newOrder(customer, tea, 3);
      const waiting = await erase(customer.userId);
      expectError(waiting, 'INVALID_STATE');
      expect(waiting.body.error.message).to.contain(paid.id);
      expect(waiting.body.error).not.to.have.property('details');
      expectOne(await service.operator.patch(`/v1/orders/${paid.id}`, { status: 'fulfilled' }));
      await customer.patch(`/v1/users/${customer.userId}`, { name: planted }, once());
      await completed(expectOne(await erase(customer.userId), 201));
      expect(await orderNow(service.operator, pending)).to.include({ status: 'canceled' });
      expect(await orderNow(service.operator, paid)).to.deep.include({
        ...{ status: 'fulfilled', total: paid.total },
      });
      expect(await stockOf(service, tea)).to.equal(8);
      const payments = expectList(await service.operator.get(`/v1/payments?order_id=${paid.id}`));
      expect(payments.map(({ status }) => status)).to.deep.equal(['succeeded']);
    });

    it('and a payment that begin together: exactly one of them is rejected', async () => {
      const tea = await newProduct(service);
      const race = async (delay: number): Promise<boolean> => {
        const customer = await service.person('customer');
        const unpaid = await newOrder(customer, tea);
        const [erasing, paying] = await Promise.all([
          service.pass(delay).then(() => erase(customer.userId)),
          pay(customer, unpaid, 'tok_slow'),
        ]);
        if (erasing.status !== 201) {
          expectError(erasing, 'INVALID_STATE');
          expectOne(paying, 201);
          return false;
        }
        expectError(paying, paying.status === 401 ? 'UNAUTHORIZED' : 'INVALID_STATE');
        const [payment] = expectList(await service.operator.get(`/v1/payments?order_id=${unpaid.id}`));
        expect(payment).to.equal(undefined);
        return true;
      };
      await Promise.all(Array.from({ length: 16 }, (_, index) => race(index % 4)));
    });

    it('and orders that are placed together leave no pending order', async () => {
      const tea = await newProduct(service, { stock: 100 });
      const customer = await service.person('customer');
      const [erasing, ...orders] = await Promise.all([
        erase(customer.userId),
        ...Array.from({ length: 8 }, () => order(customer, tea)),
      ]);
      const placed = orders.filter(({ status }) => status === 201);
      await completed(expectOne(erasing as never, 201));
      for (const { body } of placed) {
        expect((await orderNow(service.operator, body.data)).status).to.equal('canceled');
      }
      expect(await stockOf(service, tea)).to.equal(100);
    });
  },
  timing,
);
