import { expect } from 'chai';
import { Dispute, type DisputeDetails, type DisputeId } from '#domain/dispute.ts';
import type { PaymentId } from '#domain/payment.ts';
import { newId } from '#test/support/machine.ts';
import type { Json } from '../support/client.ts';
import { expectError, expectInvalid, expectList, idsOf } from '../support/expectations.ts';
import { describeService, registered } from '../support/service.ts';
import { newOrder, newPayment, newProduct, nowhere } from '../support/shop.ts';

describeService('Disputes', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  let payment: Json;
  const id = newId<DisputeId>();

  before(async () => {
    payment = await newPayment(customer, await newOrder(customer, await newProduct(service)));
    await service.whileStopped(async ({ unitOfWork }) => {
      await unitOfWork.run(async ({ payments, disputes }) => {
        const paid = await payments.find(payment.id as PaymentId);
        if (paid === undefined) throw new Error('The payment is gone.');
        const details: DisputeDetails = {
          ...{ amount: paid.amount, reason: 'fraudulent', status: 'lost', evidenceDueAt: null },
          providerReference: 'dp_x',
        };
        await disputes.add(Dispute.open(id, paid, details, paid.createdAt));
      });
    });
  });

  it('are read by staff', async () => {
    const { body } = await staff.get(`/v1/disputes/${id}`);
    expect(body.data).to.deep.include({
      ...{ id, payment_id: payment.id, order_id: payment.order_id, amount: payment.amount },
      ...{ reason: 'fraudulent', status: 'lost', evidence_due_at: null, provider_reference: 'dp_x' },
    });
    expectError(await customer.get(`/v1/disputes/${id}`), 'FORBIDDEN');
    expectError(await customer.get('/v1/disputes'), 'FORBIDDEN');
    expectError(await staff.get(`/v1/disputes/${nowhere}`), 'NOT_FOUND');
  });

  it('are listed by payment, order and status', async () => {
    for (const filter of [...[`payment_id=${payment.id}`, `order_id=${payment.order_id}`, 'status=lost']])
      expect(idsOf(expectList(await staff.get(`/v1/disputes?${filter}`))), filter).to.deep.equal([id]);
    for (const filter of [`payment_id=${nowhere}`, `order_id=${nowhere}`, 'status=won'])
      expect(idsOf(expectList(await staff.get(`/v1/disputes?${filter}`))), filter).to.deep.equal([]);
    expectInvalid(await staff.get('/v1/disputes?status=open'), 'status');
  });
});
