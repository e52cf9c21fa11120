import { expect } from 'chai';
import { offline } from '#domain/payment.ts';
import { Refund, refundStatuses } from '#domain/refund.ts';
import { aPurchase, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const { payment, refund } = aPurchase();
const amount = { amount: 100, currency: 'EUR' };
const failure = { code: 'too_late', message: 'The charge is too old.' };

describe('A refund', () => {
  it('belongs to the charge of a payment, and starts pending', () => {
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
      origin: 'portico',
      status: 'pending',
      succeededAt: null,
      providerReference: null,
      failure: null,
      metadata: {},
    });
  });

  it('may have a reason of up to 500 characters, or none', () => {
    const begin = (reason: string | null) => Refund.begin(refund.id, payment, { amount, reason }, noon);
    expect(begin('x'.repeat(500)).reason).to.have.lengthOf(500);
    expect(begin(null).reason).to.equal(null);
    expect(domainErrorOf(() => begin('x'.repeat(501)))).to.deep.equal({
      kind: 'validation',
      fields: ['reason'],
    });
  });

  it('of a payment that no provider has charged succeeds at once', () => {
    const taken = { ...payment, provider: offline };
    expect(Refund.begin(refund.id, taken, { amount, reason: null }, noon)).to.deep.equal({
      ...refund,
      ...{ provider: offline, chargeReference: null, status: 'succeeded', succeededAt: noon },
    });
  });

  it('of a payment whose charge is unknown is rejected', () => {
    const unpaid = { ...payment, providerReference: null };
    expect(() => Refund.begin(refund.id, unpaid, { amount, reason: null }, noon)).to.throw(TypeError);
  });

  it('succeeds with the provider’s reference', () => {
    expect(Refund.succeed(refund, 're_1', later(1))).to.deep.equal({
      ...refund,
      status: 'succeeded',
      succeededAt: later(1),
      providerReference: 're_1',
      version: 2,
      updatedAt: later(1),
    });
  });

  it('that fails after it has succeeded still says when it had', () => {
    const reverted = Refund.revert(Refund.succeed(refund, 're_1', later(1)), failure, later(2));
    expect(reverted).to.include({ status: 'failed', succeededAt: later(1) });
  });

  it('fails with a reason', () => {
    expect(Refund.fail(refund, failure, later(1))).to.deep.equal({
      ...refund,
      status: 'failed',
      failure,
      version: 2,
      updatedAt: later(1),
    });
  });

  for (const status of refundStatuses.filter((one) => one !== 'pending')) {
    it(`that ${status} cannot be settled again`, () => {
      const settled = { ...refund, status };
      expect(domainErrorOf(() => Refund.succeed(settled, 're_2', noon)).kind).to.equal('invalid-state');
      expect(domainErrorOf(() => Refund.fail(settled, failure, noon)).kind).to.equal('invalid-state');
    });
  }
});
