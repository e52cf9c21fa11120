import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { decide, deciding, list } from '../support/deciding-provider.ts';
import { expectCreated } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newOrder, newProduct, orderNow, pay } from '../support/shop.ts';

export const describeLateDecision = serviceSuite(
  'A payment on which the provider decides later',
  deciding,
  (service) => {
    let customer: Client;
    let unpaid: Json;
    let payment: Json;
    beforeEach(async () => {
      customer = await service.person('customer');
      unpaid = await newOrder(customer, await newProduct(service));
      payment = expectCreated(await pay(customer, unpaid, 'tok'), '/v1/payments');
      expect(payment.status).to.equal('processing');
    });

    const paymentNow = async (): Promise<Json> =>
      (await customer.get(`/v1/payments/${payment.id}`)).body.data;
    const settled = () => service.until(paymentNow, ({ status }: Json) => status !== 'processing');
    const providerObject = () => ({ kind: 'charge', reference: `ch_${payment.id}` }) as const;

    it('succeeds when an event of the provider has said where to look', async () => {
      decide(payment.id, (reference) => ({ reference }));
      list(providerObject());
      expect(await settled()).to.include({ status: 'succeeded' });
      expect(await orderNow(customer, unpaid)).to.include({ status: 'paid' });
    });

    it('fails as the provider says, whatever was listed before, and its order can be paid again', async () => {
      list(
        providerObject(),
        { kind: 'charge', reference: 'ch_foreign' },
        { kind: 'refund', reference: 're_foreign' },
      );
      decide(payment.id, () => ({ declined: { code: 'debit_returned', message: 'The bank said no.' } }));
      list(providerObject(), providerObject());
      expect(await settled()).to.deep.include({
        status: 'failed',
        failure: { code: 'debit_returned', message: 'The bank said no.' },
      });
      expectCreated(await pay(customer, unpaid, 'tok'), '/v1/payments');
    });
  },
);
