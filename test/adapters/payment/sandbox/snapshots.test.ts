import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { newId } from '../../../support/machine.ts';
import { ofEachTest } from '../../../support/of-each-test.ts';
import { amount, openBank } from './bank.ts';

const second = 1_000;
const half = { ...amount, amount: 225 };

describe('The money of a charge of the sandbox', () => {
  const bank = ofEachTest(openBank);
  const refundsOf = async (reference: string) => (await bank.lifecycle.retrieveCharge(reference))?.refunds;

  it('is told with its refunds', async () => {
    const charge = await bank.begin('tok_ok');
    const refund = await bank.refundPart(charge.reference, 225);
    expect(await bank.lifecycle.retrieveCharge(charge.reference)).to.deep.equal({
      reference: charge.reference,
      paymentId: charge.paymentId,
      charge: charge.moved,
      refunds: [
        {
          ...{ reference: `sandbox_${refund.refundId}`, refundId: refund.refundId, amount: half },
          ...{ status: 'succeeded', failure: null },
        },
      ],
      disputes: [],
    });
  });

  it('is refunded up to its amount, and a refund that exceeds it is declined for good', async () => {
    const charge = await bank.begin('tok_ok');
    await bank.refundPart(charge.reference, 400);
    const refund = await bank.refundPart(charge.reference, 51);
    expect(refund.state).to.have.nested.property('declined.code', 'amount_too_large');
    expect(await bank.refund(refund)).to.deep.equal(refund.state);
    expect(await bank.closeRefund(refund)).to.deep.equal(refund.state);
    expect((await bank.refundPart(charge.reference, 50)).state).to.have.property('reference');
    expect(await refundsOf(charge.reference)).to.have.lengthOf(2);
  });

  it('is not refunded before it is taken', async () => {
    for (const method of ['tok_action', 'tok_declined']) {
      const charge = await bank.begin(method);
      expect((await bank.refundPart(charge.reference)).state).to.have.property('declined');
    }
  });

  it('is given back five seconds later with tok_refund_pending', async () => {
    const charge = await bank.begin('tok_refund_pending');
    const refund = await bank.refundPart(charge.reference);
    expect(refund.state).to.have.property('waitsFor', 'provider');
    bank.advance(5 * second - 1);
    expect(await bank.refund(refund)).to.deep.equal(refund.state);
    expect(await refundsOf(charge.reference)).to.have.nested.property('[0].status', 'pending');
    bank.advance(1);
    expect(await bank.refund(refund)).to.not.have.property('waitsFor');
    expect(await bank.closeRefund(refund)).to.have.property('reference', `sandbox_${refund.refundId}`);
    expect(await refundsOf(charge.reference)).to.have.nested.property('[0].status', 'succeeded');
  });

  it('comes back five seconds after its refund with tok_refund_fails_late, and can be refunded again', async () => {
    const charge = await bank.begin('tok_refund_fails_late');
    const refund = await bank.refundPart(charge.reference);
    expect(refund.state).to.have.property('reference');
    expect(await refundsOf(charge.reference)).to.have.nested.property('[0].status', 'succeeded');
    expect((await bank.refundPart(charge.reference)).state).to.have.property('declined');
    bank.advance(5 * second);
    const [failed] = (await refundsOf(charge.reference)) ?? [];
    expect(failed).to.have.property('status', 'failed');
    expect(failed).to.have.nested.property('failure.code', 'expired_or_canceled_card');
    // The outcome on the id stays what it was: the charge reports the failure.
    expect(await bank.refund(refund)).to.deep.equal(refund.state);
    expect((await bank.refundPart(charge.reference)).state).to.have.property('reference');
  });

  it('is refunded by the provider itself with tok_refunded_outside, as far as it is not yet', async () => {
    const charge = await bank.begin('tok_refunded_outside');
    const refund = await bank.refundPart(charge.reference, 225);
    bank.advance(5 * second);
    expect((await bank.refundPart(charge.reference, 1)).state).to.have.property('declined');
    const outside = { reference: `${charge.reference}_refund`, refundId: null, amount: half };
    const expected = [{ ...outside, status: 'succeeded', failure: null }];
    const refunds = await refundsOf(charge.reference);
    expect(refunds?.filter(({ refundId }) => refundId === null)).to.deep.equal(expected);
    expect(refunds).to.have.lengthOf(2);
    expect(await refundsOf(charge.reference)).to.deep.equal(refunds);
    expect(await bank.lifecycle.findChargeOf({ kind: 'refund', reference: outside.reference })).to.equal(
      charge.reference,
    );
    expect(
      await bank.lifecycle.findChargeOf({ kind: 'refund', reference: `sandbox_${refund.refundId}` }),
    ).to.equal(charge.reference);
  });

  it('is disputed after five seconds with tok_dispute, and lost after ten', async () => {
    const charge = await bank.begin('tok_dispute');
    const disputes = async () => (await bank.lifecycle.retrieveCharge(charge.reference))?.disputes;
    expect(await disputes()).to.deep.equal([]);
    bank.advance(5 * second);
    const dispute = {
      ...{ amount, reason: 'fraudulent', status: 'needs_response' },
      evidenceDueAt: Instant.plus(bank.now(), 5 * second),
      providerReference: `${charge.reference}_dispute`,
    };
    expect(await disputes()).to.deep.equal([dispute]);
    expect((await bank.refundPart(charge.reference)).state).to.have.nested.property(
      'declined.code',
      'charge_disputed',
    );
    bank.advance(5 * second);
    expect(await disputes()).to.deep.equal([{ ...dispute, status: 'lost' }]);
    const providerObject = { kind: 'dispute', reference: dispute.providerReference } as const;
    expect(await bank.lifecycle.findChargeOf(providerObject)).to.equal(charge.reference);
  });

  it('belongs to no place that names nothing here', async () => {
    for (const kind of ['charge', 'refund', 'dispute'] as const)
      for (const reference of ['pi_1', `sandbox_${newId()}`, `sandbox_${newId()}_${kind}`])
        expect(await bank.lifecycle.findChargeOf({ kind, reference })).to.equal(undefined);
  });

  it('is refunded without a limit when the ledger of an earlier release knows no amount', async () => {
    const paymentId = newId();
    await bank.ledger.keep(paymentId, `{"reference":"sandbox_${paymentId}"}`);
    const state = { reference: `sandbox_${paymentId}` };
    expect(await bank.lifecycle.retrieveCharge(state.reference)).to.have.deep.property('charge', state);
    expect((await bank.refundPart(state.reference)).state).to.have.property('reference');
  });

  it('is in a ledger that an earlier release can read when it was taken at once', async () => {
    const charge = await bank.begin('tok_ok');
    expect(JSON.parse((await bank.ledger.find(charge.paymentId)) ?? '')).to.include({
      reference: charge.reference,
    });
  });
});
