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
      ...{ paymentId: payment.id, orderId: payment.orderId, ...details, closedAt: null },
    });
  });

  it('says when it was closed, for as long as it is', () => {
    const { dispute, payment } = aPurchase();
    const follow = (
      before: Dispute,
      status: Dispute['status'],
      milliseconds: number,
      reason = 'fraudulent',
    ) => Dispute.follow(before, { ...before, status, reason }, later(milliseconds));
    for (const status of ['won', 'lost', 'closed'] as const) {
      const closed = follow(dispute, status, 5);
      expect(closed.closedAt, status).to.equal(later(5));
      expect(follow(closed, status, 6, 'general').closedAt, status).to.equal(later(5));
      expect(follow(closed, 'under_review', 7).closedAt, status).to.equal(null);
      const details = { ...dispute, status };
      expect(Dispute.open(newId(), payment, details, later(8)).closedAt, status).to.equal(later(8));
    }
    for (const status of ['warning', 'needs_response', 'under_review'] as const)
      expect(follow(dispute, status, 5, 'general').closedAt, status).to.equal(null);
  });
});
