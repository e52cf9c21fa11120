import { expect } from 'chai';
import { Dispute, type DisputeDetails, type DisputeId } from '#domain/dispute.ts';
import { aPurchase, later } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';

describe('A dispute', () => {
  it('belongs to a payment and its order, with what the provider tells', () => {
    const { payment } = aPurchase();
    const details: DisputeDetails = {
      ...{ amount: payment.amount, reason: 'product_not_received', status: 'under_review' },
      ...{ evidenceDueAt: later(86_400_000), providerReference: 'dp_7' },
    };
    const id = newId<DisputeId>();
    expect(Dispute.open(id, payment, details, later(5))).to.deep.equal({
      ...{ id, version: 1, createdAt: later(5), updatedAt: later(5) },
      ...{ paymentId: payment.id, orderId: payment.orderId, ...details },
    });
  });
});
