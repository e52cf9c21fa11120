import { expect } from 'chai';
import { Capture, type CaptureId } from '#domain/capture.ts';
import { aPurchase, later } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';

describe('A capture', () => {
  it('is pending until the provider has taken the money', () => {
    const { payment } = aPurchase();
    const id = newId<CaptureId>();
    expect(Capture.begin(id, payment, payment.amount, later(5))).to.deep.equal({
      ...{ id, version: 1, createdAt: later(5), updatedAt: later(5) },
      ...{ paymentId: payment.id, userId: payment.userId, amount: payment.amount },
      ...{ status: 'pending', providerReference: null, failure: null },
    });
  });
});
