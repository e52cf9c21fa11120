import { expect } from 'chai';
import { expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newOrder, newProduct, pay, paymentsOf } from '../support/shop.ts';

export const describeWaitForPayment = serviceSuite('A request that waits for a payment', {}, (service) => {
  it('gets it once the provider has decided', async () => {
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, await newProduct(service));
    const paying = pay(buyer, order, 'tok_slow');
    const [pending] = await service.until(
      () => paymentsOf(buyer, order),
      ({ length }) => length > 0,
    );
    expect(pending.status).to.equal('pending');
    const waiting = buyer.get(`/v1/payments/${pending.id}`, { Prefer: 'wait=20' });
    const created = await paying;
    const response = await waiting;
    expect(expectOne(response)).to.deep.include({ status: 'succeeded', version: created.body.data.version });
    expect(response.headers.get('Preference-Applied')).to.equal('wait=20');
  });
});
