import { expect } from 'chai';
import { Refund, refundStatuses } from '#domain/refund.ts';
import { aPurchase, later, noon } from '#test/contracts/samples.ts';
import { refusal } from './refusal.ts';

const { payment, refund } = aPurchase();
const amount = { amount: 100, currency: 'EUR' };
const failure = { code: 'too_late', message: 'The charge is too old.' };

describe('A refund', () => {
  it('takes back a charge of a payment, and is pending at first', () => {
    expect(Refund.begin(refund.id, payment, { amount, reason: 'Broken' }, noon)).to.deep.equal({
      id: refund.id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      paymentId: payment.id,
      provider: 'sandbox',
      chargeReference: 'ch_1',
      userId: payment.userId,
      amount,
      reason: 'Broken',
      status: 'pending',
      providerReference: null,
      failure: null,
    });
  });

  it('may have a reason of up to 500 characters, or none', () => {
    const begin = (reason: string | null) => Refund.begin(refund.id, payment, { amount, reason }, noon);
    expect(begin('x'.repeat(500)).reason).to.have.lengthOf(500);
    expect(begin(null).reason).to.equal(null);
    expect(refusal(() => begin('x'.repeat(501)))).to.deep.equal({
      kind: 'validation',
      fields: ['reason'],
    });
  });

  it('of a payment that did not succeed takes back nothing', () => {
    const unpaid = { ...payment, providerReference: null };
    expect(() => Refund.begin(refund.id, unpaid, { amount, reason: null }, noon)).to.throw(TypeError);
  });

  it('succeeds, and is known to its provider by a reference', () => {
    expect(Refund.succeed(refund, 're_1', later(1))).to.deep.equal({
      ...refund,
      status: 'succeeded',
      providerReference: 're_1',
      version: 2,
      updatedAt: later(1),
    });
  });

  it('fails, and says why', () => {
    expect(Refund.fail(refund, failure, later(1))).to.deep.equal({
      ...refund,
      status: 'failed',
      failure,
      version: 2,
      updatedAt: later(1),
    });
  });

  for (const status of refundStatuses.filter((one) => one !== 'pending')) {
    it(`that ${status} is settled for good`, () => {
      const settled = { ...refund, status };
      expect(refusal(() => Refund.succeed(settled, 're_2', noon)).kind).to.equal('invalid-state');
      expect(refusal(() => Refund.fail(settled, failure, noon)).kind).to.equal('invalid-state');
    });
  }
});
