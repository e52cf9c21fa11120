import { expect } from 'chai';
import { aCharge } from '../payment-provider.ts';
import { expectAsked, expectTaken, type Fixture, type Made, payer } from './fixture.ts';

const needs = ['lifecycle.asksPayer', 'lifecycle.cancel', 'world.consent'] as const;

/** What a provider promises that asks payers for consent. */
export const describeConsent = ({ promise, now, begin }: Fixture): void => {
  const ask = () => begin(now().world.consent.method, { payer });
  const consent = (reference: string) => now().world.consent.happen(reference);

  promise(
    'asks the payer who is present, moves nothing before they consent, and charges then',
    needs,
    async () => {
      const charge = await ask();
      const state = await now().lifecycle.findCharge(charge);
      expect(state).to.include({ waitsFor: 'payer', reference: charge.reference });
      expectAsked(state, charge);
      expect(await now().movements()).to.equal(0);
      await consent(charge.reference);
      expectTaken(await now().lifecycle.findCharge(charge), charge);
      expect(await now().movements()).to.equal(1);
    },
  );

  promise(
    'sends a payer who can return to an address, and gives any other to its library',
    needs,
    async () => {
      const [away, here] = [
        await ask(),
        await begin(now().world.consent.method, { payer: { returnUrl: null } }),
      ];
      const [redirect, sdk] = [
        await now().lifecycle.findCharge(away),
        await now().lifecycle.findCharge(here),
      ];
      expect(redirect).to.have.nested.property('nextAction.type', 'redirect');
      expect(redirect).to.have.nested.property('nextAction.url').that.is.a('string').and.not.equal('');
      if (sdk !== undefined && 'nextAction' in sdk && sdk.nextAction === null) return;
      expect(sdk).to.have.nested.property('nextAction.type', 'provider_sdk');
      expect(sdk).to.have.nested.property('nextAction.clientSecret').that.is.a('string').and.not.equal('');
    },
  );

  promise('asks the payer once, however often the charge is retried', needs, async () => {
    const charge = await ask();
    for (const _ of ['again', 'and again'])
      expect(await now().provider.charge(charge)).to.include({
        waitsFor: 'payer',
        reference: charge.reference,
      });
    await consent(charge.reference);
    expectTaken(await now().provider.charge(charge), charge);
    expect(await now().movements()).to.equal(1);
  });

  promise('declines a charge that needs consent when no payer is present', needs, async () => {
    const state = await now().provider.charge(aCharge(now().world.consent.method));
    expect(state).to.have.nested.property('declined.code').that.is.a('string').and.not.equal('');
    expect(await now().movements()).to.equal(0);
  });

  promise('cancels a charge that waits for its payer, for good', needs, async () => {
    const charge = await ask();
    const canceled = { canceled: true, reference: charge.reference };
    for (const _ of ['once', 'twice']) expect(await now().lifecycle.cancel(charge)).to.deep.equal(canceled);
    await consent(charge.reference);
    expect(await now().lifecycle.findCharge(charge)).to.deep.equal(canceled);
    expect(await now().lifecycle.retrieveCharge(charge.reference)).to.have.deep.property('charge', canceled);
    expect(await now().movements()).to.equal(0);
  });

  promise('reports that a charge has succeeded when it is canceled too late', needs, async () => {
    const charge = await ask();
    await consent(charge.reference);
    expectTaken(await now().lifecycle.cancel(charge), charge);
    expect(await now().movements()).to.equal(1);
  });

  promise('has one outcome when the payer consents at the instant of the cancellation', needs, async () => {
    const charge = await ask();
    const [reported] = await Promise.all([now().lifecycle.cancel(charge), consent(charge.reference)]);
    const state = await now().lifecycle.findCharge(charge);
    expect(state).to.deep.equal(reported);
    expect(await now().movements()).to.equal('canceled' in reported ? 0 : 1);
  });

  promise('declines a charge for good that is closed while it waits for its payer', needs, async () => {
    const charge = await ask();
    expect(await now().provider.closeCharge(charge)).to.have.nested.property('declined.code', 'not_charged');
    await consent(charge.reference);
    expect(await now().lifecycle.findCharge(charge)).to.have.any.keys('declined', 'canceled');
    expect(await now().movements()).to.equal(0);
  });

  const alsoRefuses = [...needs, 'world.refuse'] as const;

  /** A charge whose payer has refused, which the provider has reported. */
  const refused = async () => {
    const { world, lifecycle } = now();
    const charge = await begin(world.refuse.method, { payer });
    await world.refuse.happen(charge.reference);
    const { charge: state } =
      (await lifecycle.retrieveCharge(charge.reference)) ?? expect.fail('It is there.');
    expect(state).to.have.nested.property('declined.code').that.is.a('string').and.not.equal('');
    return charge;
  };

  const expectDeclined = async (charge: Made) => {
    expect(await now().lifecycle.findCharge(charge)).to.have.property('declined');
    expect(await now().movements()).to.equal(0);
  };

  promise(
    'declines a charge whose payer refuses, and charges no consent that follows',
    alsoRefuses,
    async () => {
      const charge = await refused();
      await consent(charge.reference);
      await expectDeclined(charge);
    },
  );

  const alsoTries = [...alsoRefuses, 'world.tryAgain'] as const;
  promise('takes no money of a declined charge whose payer tries again', alsoTries, async () => {
    const charge = await refused();
    await now().world.tryAgain.happen(charge.reference);
    await expectDeclined(charge);
  });
};
