import { expect } from 'chai';
import { Capture, type CaptureId } from '#domain/capture.ts';
import { aPurchase, later, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { domainErrorOf } from './domain-error.ts';

describe('A capture', () => {
  it('is pending until the provider has taken the money', () => {
    const { payment } = aPurchase();
    const id = newId<CaptureId>();
    expect(Capture.begin(id, payment, payment.amount, later(5))).to.deep.equal({
      ...{ id, version: 1, createdAt: later(5), updatedAt: later(5) },
      ...{ paymentId: payment.id, userId: payment.userId, amount: payment.amount },
      ...{ provider: 'sandbox', chargeReference: 'ch_1' },
      ...{ status: 'pending', succeededAt: null, providerReference: null, failure: null },
    });
  });

  it('is settled once, and takes the place of others unless it has failed', () => {
    const { payment } = aPurchase();
    const pending = Capture.begin(newId(), payment, payment.amount, noon);
    const failure = { code: 'expired', message: 'Too late.' };
    const succeeded = Capture.succeed(pending, 'ch_1', later(1));
    expect(succeeded).to.deep.include({ status: 'succeeded', providerReference: 'ch_1', version: 2 });
    expect(succeeded.succeededAt).to.equal(later(1));
    expect(Capture.fromProvider(newId(), payment, later(2)).succeededAt).to.equal(later(2));
    const failed = Capture.fail(pending, failure, later(1));
    expect(failed).to.deep.include({ status: 'failed', failure });
    for (const settled of [succeeded, failed]) {
      expect(domainErrorOf(() => Capture.succeed(settled, 'ch_2', noon)).kind).to.equal('invalid-state');
      expect(domainErrorOf(() => Capture.fail(settled, failure, noon)).kind).to.equal('invalid-state');
    }
    expect([pending, succeeded, failed].map(Capture.isLive)).to.deep.equal([true, true, false]);
  });
});
