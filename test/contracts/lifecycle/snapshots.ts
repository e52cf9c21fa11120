import { expect } from 'chai';
import { disputeStatuses } from '#domain/dispute.ts';
import { aRefundRequest } from '../payment-provider.ts';
import { type Fixture, foreignFor, half, type Made } from './fixture.ts';

/** What a provider reports of the money that moves back. */
export const describeSnapshots = ({ promise, now, begin }: Fixture): void => {
  const retrieve = async ({ reference }: Made) =>
    (await now().lifecycle.retrieveCharge(reference)) ?? expect.fail('The provider knows its own charge.');

  /** Fails unless the charge has one refund. @returns it */
  const theRefundOf = async (charge: Made) => {
    const { refunds } = await retrieve(charge);
    expect(refunds).to.have.lengthOf(1);
    return refunds[0] ?? expect.fail();
  };

  promise('reads a charge with all its refunds', [], async () => {
    const { good, provider } = now();
    const charge = await begin(good);
    const refunds = [
      aRefundRequest(charge.reference, { amount: half }),
      aRefundRequest(charge.reference, { amount: half }),
    ];
    for (const refund of refunds) await provider.refund(refund);
    const reported = await retrieve(charge);
    expect(reported).to.include({ reference: charge.reference, paymentId: charge.paymentId });
    expect(reported.refunds.map(({ refundId }) => refundId)).to.have.members(
      refunds.map(({ refundId }) => refundId),
    );
    expect(new Set(reported.refunds.map(({ reference }) => reference))).to.have.lengthOf(2);
    for (const refund of reported.refunds)
      expect(refund).to.deep.include({ amount: half, status: 'succeeded', failure: null });
    expect(reported.disputes).to.deep.equal([]);
  });

  promise('finds the charge of a refund', ['lifecycle.findChargeOf'], async () => {
    const { good, provider, lifecycle } = now();
    const charge = await begin(good);
    await provider.refund(aRefundRequest(charge.reference));
    const { reference } = await theRefundOf(charge);
    expect(await lifecycle.findChargeOf({ kind: 'refund', reference })).to.equal(charge.reference);
    expect(await lifecycle.findChargeOf({ kind: 'charge', reference: charge.reference })).to.equal(
      charge.reference,
    );
  });

  promise('finds no charge of what is not of this shop', ['lifecycle.findChargeOf'], async () => {
    const { good, provider, lifecycle } = now();
    const charge = await begin(good);
    await provider.refund(aRefundRequest(charge.reference));
    const foreign = foreignFor((await theRefundOf(charge)).reference);
    for (const kind of ['refund', 'dispute'] as const)
      for (const reference of ['unheard-of', foreign])
        expect(await lifecycle.findChargeOf({ kind, reference }), reference).to.equal(undefined);
  });

  promise(
    'reports a refund that it has accepted and not finished, and that it has succeeded then',
    ['world.refundLater'],
    async () => {
      const { world, provider } = now();
      const charge = await begin(world.refundLater.method);
      const request = aRefundRequest(charge.reference);
      for (const ask of [provider.refund, provider.refund, provider.closeRefund]) {
        const state = await ask(request);
        expect(state).to.have.property('waitsFor', 'provider');
        expect(state).to.have.property('reference', (await theRefundOf(charge)).reference);
      }
      expect(await theRefundOf(charge)).to.deep.include({
        refundId: request.refundId,
        status: 'pending',
        amount: request.amount,
      });
      await world.refundLater.happen(charge.reference);
      expect(await theRefundOf(charge)).to.deep.include({
        refundId: request.refundId,
        status: 'succeeded',
        failure: null,
      });
      expect(await provider.closeRefund(request))
        .to.have.property('reference')
        .and.not.have.property('waitsFor');
    },
  );

  promise(
    'reports a refund that has failed after it had succeeded, and why',
    ['world.failRefundLate'],
    async () => {
      const { world, provider } = now();
      const charge = await begin(world.failRefundLate.method);
      const request = aRefundRequest(charge.reference);
      expect(await provider.refund(request)).to.have.property('reference');
      const before = await theRefundOf(charge);
      expect(before).to.have.property('status', 'succeeded');
      await world.failRefundLate.happen(charge.reference);
      const refund = await theRefundOf(charge);
      expect(refund).to.include({
        reference: before.reference,
        refundId: request.refundId,
        status: 'failed',
      });
      expect(refund.failure?.code).to.be.a('string').and.not.equal('');
      expect(refund.failure?.message).to.be.a('string').and.not.equal('');
    },
  );

  promise(
    'reports a refund that was made at the provider as of none here',
    ['world.refundExternally'],
    async () => {
      const { world, provider } = now();
      const charge = await begin(world.refundExternally.method);
      await world.refundExternally.happen(charge.reference);
      const refund = await theRefundOf(charge);
      expect(refund)
        .to.include({ refundId: null })
        .and.to.have.property('status')
        .that.is.oneOf(['pending', 'succeeded']);
      expect(refund.amount).to.have.property('currency', charge.amount.currency);
      expect(refund.amount.amount).to.be.within(1, charge.amount.amount);
      // Less is left than the whole.
      expect(await provider.refund(aRefundRequest(charge.reference))).to.have.property('declined');
      expect((await theRefundOf(charge)).reference).to.equal(refund.reference);
    },
  );

  promise('reports a dispute, and its amount, reason and status', ['world.dispute'], async () => {
    const { world, lifecycle } = now();
    const charge = await begin(world.dispute.method);
    await world.dispute.happen(charge.reference);
    const { disputes } = await retrieve(charge);
    expect(disputes).to.have.lengthOf(1);
    const [{ amount, reason, status, providerReference } = expect.fail()] = disputes;
    expect(amount).to.deep.equal(charge.amount);
    expect(reason).to.be.a('string').and.not.equal('');
    expect(status).to.be.oneOf([...disputeStatuses]);
    expect(providerReference).to.be.a('string').and.not.equal('');
    if (lifecycle.findChargeOf === undefined) return;
    expect(await lifecycle.findChargeOf({ kind: 'dispute', reference: providerReference })).to.equal(
      charge.reference,
    );
  });
};
