import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { euros, newOrder, newProduct, orderNow, pay, paymentsOf, refund, stockOf } from '../support/shop.ts';

export const describePaymentWithoutProvider = serviceSuite('A payment without a provider', {}, (service) => {
  it('is paid and refunded offline, and order and stock follow', async () => {
    const customer = await service.person('customer');
    const tea = await newProduct(service, { price: euros(450), stock: 5 });
    const order = await newOrder(customer, tea, 2);
    const payment = expectCreated(await pay(service.operator, order, 'offline'), '/v1/payments');
    const part = expectCreated(
      await refund(service.operator, payment, { amount: euros(100) }),
      '/v1/refunds',
    );
    expect(part).to.deep.include({ status: 'succeeded', provider_reference: null });
    const rest = expectCreated(await refund(service.operator, payment), '/v1/refunds');
    expect(rest.amount).to.deep.equal(euros(800));
    expect(expectOne(await service.operator.get(`/v1/payments/${payment.id}`)).status).to.equal('refunded');
    expect((await orderNow(customer, order)).status).to.equal('refunded');
    expect(await stockOf(service, tea)).to.equal(5);
  });

  it('goes through once beside cards, when ten are sent at a time', async () => {
    const customer = await service.person('customer');
    const order = await newOrder(customer, await newProduct(service));
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? pay(service.operator, order, 'offline') : pay(customer, order),
      ),
    );
    const [first, ...others] = all.toSorted((one, other) => one.status - other.status);
    const paid = expectCreated(first as Json, '/v1/payments');
    for (const other of others) expectError(other, 'INVALID_STATE');
    expect(await paymentsOf(customer, order)).to.deep.equal([paid]);
    expect((await orderNow(customer, order)).status).to.equal('paid');
  });

  it('of 0 is refunded by 0, once of ten requests at a time', async () => {
    const customer = await service.person('customer');
    const gift = await newProduct(service, { price: euros(0), stock: 5 });
    const order = await newOrder(customer, gift, 2);
    const payment = expectCreated(await pay(customer, order, 'tok_error'), '/v1/payments');
    const all = await Promise.all(Array.from({ length: 10 }, () => refund(service.operator, payment)));
    const [first, ...others] = all.toSorted((one, other) => one.status - other.status);
    const refunded = expectCreated(first as Json, '/v1/refunds');
    expect(refunded).to.deep.include({ amount: euros(0), status: 'succeeded', provider_reference: null });
    for (const other of others) expectError(other, 'INVALID_STATE');
    expect((await orderNow(customer, order)).status).to.equal('refunded');
    expect(await stockOf(service, gift)).to.equal(5);
  });
});
