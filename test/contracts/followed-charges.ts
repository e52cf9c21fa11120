import { expect } from 'chai';
import type { Charge } from '#application/ports/charge.ts';
import type { FollowedCharges } from '#application/ports/followed-charges.ts';
import { newId } from '../support/machine.ts';
import { atOnce, mocha } from './harness.ts';
import { aCharge, aReversal, type ProviderHarness, referenceOf } from './payment-provider.ts';

/** A provider that can be asked later. */
export interface FollowedHarness extends ProviderHarness {
  /** A payment method whose payer is asked. */
  readonly asking: string;
  /** Lets the payers of all charges consent. */
  consent(): Promise<void>;
}

const payer = { returnUrl: 'https://shop.example/back' };
const half = { amount: 225, currency: 'EUR' };

/** What `FollowedCharges` promises. */
export const describeFollowedCharges = (
  name: string,
  open: () => Promise<FollowedHarness>,
  runner = mocha(),
) =>
  runner.describe(`${name} keeps the contract of providers that can be asked later`, () => {
    const { it, beforeEach, afterEach } = runner;
    let harness: FollowedHarness;
    let followed: FollowedCharges;
    beforeEach(async () => {
      harness = await open();
      followed = harness.provider.followed ?? expect.fail('It cannot be asked later.');
    });
    afterEach(() => harness.close());

    const begin = async (method: string, details: Partial<Charge> = {}) => {
      const charge = aCharge(method, details);
      return { ...charge, reference: await referenceOf(harness.provider.charge(charge)) };
    };
    const ask = () => begin(harness.asking, { payer });
    const authorize = () => begin(harness.good, { captureMethod: 'manual' });
    type Begun = Awaited<ReturnType<typeof begin>>;
    const captureOf = ({ paymentId, reference }: Begun, captureId = newId<never>(), amount = half) =>
      followed.capture({ captureId, paymentId, chargeReference: reference, amount });

    it('finds no charge that has not arrived, and does not close it', async () => {
      const charge = aCharge(harness.good);
      expect(await followed.find(charge)).to.equal(undefined);
      expect(await harness.provider.charge(charge)).to.have.property('reference');
    });

    it('finds a charge as it was made', async () => {
      const charge = await begin(harness.good);
      expect(await followed.find(charge)).to.deep.equal(await harness.provider.charge(charge));
    });

    it('asks the payer who is present, moves nothing before they consent, and charges then', async () => {
      const charge = await ask();
      const state = await followed.find(charge);
      expect(state).to.include({ waitsFor: 'payer', reference: charge.reference });
      expect(state).to.have.nested.property('nextAction.type', 'redirect');
      expect(await harness.movements()).to.equal(0);
      await harness.consent();
      expect(await followed.find(charge))
        .to.include({ reference: charge.reference })
        .and.not.have.any.keys('waitsFor');
      expect(await harness.movements()).to.equal(1);
    });

    it('declines a charge that needs consent when no payer is present', async () => {
      const state = await harness.provider.charge(aCharge(harness.asking));
      expect(state).to.have.nested.property('declined.code').that.is.a('string');
    });

    it('cancels a charge that waits for its payer, for good', async () => {
      const charge = await ask();
      expect(await followed.cancel(charge)).to.deep.equal({ canceled: true, reference: charge.reference });
      await harness.consent();
      expect(await followed.find(charge)).to.have.property('canceled', true);
      expect(await harness.movements()).to.equal(0);
    });

    it('tells that a charge has succeeded when it is canceled too late', async () => {
      const charge = await ask();
      await harness.consent();
      expect(await followed.cancel(charge))
        .to.include({ reference: charge.reference })
        .and.not.have.any.keys('canceled');
      expect(await harness.movements()).to.equal(1);
    });

    it('captures once per capture id, and as much as was asked', async () => {
      const charge = await authorize();
      expect(await followed.find(charge)).to.have.property('waitsFor', 'capture');
      expect(await harness.movements()).to.equal(0);
      const captureId = newId<never>();
      const verdicts = await Promise.all(atOnce(5, () => captureOf(charge, captureId)));
      for (const verdict of verdicts)
        expect(verdict).to.deep.equal(verdicts[0]).and.to.have.property('reference');
      expect(await followed.find(charge)).to.have.deep.property('amount', half);
      expect(await harness.movements()).to.equal(1);
    });

    it('declines a capture of more than was authorized, and a second one', async () => {
      const charge = await authorize();
      expect(await captureOf(charge, newId<never>(), { amount: 451, currency: 'EUR' })).to.have.property(
        'declined',
      );
      expect(await captureOf(charge)).to.have.property('reference');
      expect(await captureOf(charge)).to.have.property('declined');
    });

    it('gives an authorized charge up, and captures nothing after that', async () => {
      const charge = await authorize();
      expect(await followed.cancel(charge)).to.deep.equal({ canceled: true, reference: charge.reference });
      expect(await captureOf(charge)).to.have.property('declined');
      expect(await harness.movements()).to.equal(0);
    });

    it('tells how much was captured of a charge that is canceled too late', async () => {
      const charge = await authorize();
      await captureOf(charge);
      const state = await followed.cancel(charge);
      expect(state).to.deep.include({ reference: charge.reference, amount: half });
      expect(state).to.not.have.any.keys('canceled', 'declined', 'waitsFor');
      expect((await followed.inspect(charge.reference))?.charge).to.deep.equal(state);
      expect(await harness.movements()).to.equal(1);
    });

    it('tells of no refund of what was authorized and not captured', async () => {
      const charge = await authorize();
      await captureOf(charge);
      expect((await followed.inspect(charge.reference))?.refunds).to.deep.equal([]);
      const held = await authorize();
      await followed.cancel(held);
      expect((await followed.inspect(held.reference))?.refunds).to.deep.equal([]);
    });

    it('reads a charge with all its refunds', async () => {
      const charge = await begin(harness.good);
      const refunds = [
        aReversal(charge.reference, { amount: half }),
        aReversal(charge.reference, { amount: half }),
      ];
      for (const refund of refunds) await harness.provider.reverse(refund);
      const movements = await followed.inspect(charge.reference);
      expect(movements).to.include({ reference: charge.reference, paymentId: charge.paymentId });
      expect(movements?.refunds.map(({ refundId }) => refundId)).to.have.members(
        refunds.map(({ refundId }) => refundId),
      );
      for (const refund of movements?.refunds ?? []) {
        expect(refund.amount).to.deep.equal(half);
        const place = { kind: 'refund', reference: refund.reference } as const;
        expect(await followed.chargeAt(place)).to.equal(charge.reference);
      }
    });

    it('knows no charge that is not of this shop', async () => {
      expect(await followed.inspect('unheard-of')).to.equal(undefined);
      for (const kind of ['refund', 'dispute'] as const)
        expect(await followed.chargeAt({ kind, reference: 'unheard-of' })).to.equal(undefined);
    });
  });
