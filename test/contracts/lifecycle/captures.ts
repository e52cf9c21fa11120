import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { newId } from '../../support/machine.ts';
import { atOnce, rejectionOf } from '../harness.ts';
import { expectOpen } from '../payment-provider.ts';
import { expectAsked, expectTaken, type Fixture, half } from './fixture.ts';

const needs = ['lifecycle.cancel', 'lifecycle.capture'] as const;

/** What a provider promises that captures later. */
export const describeLaterCaptures = ({ promise, now, authorize, capture }: Fixture): void => {
  promise('authorizes a charge, moves nothing, and leaves it as it is when it is closed', needs, async () => {
    const charge = await authorize();
    for (const ask of [now().lifecycle.findCharge, now().provider.closeCharge, now().provider.charge]) {
      const state = await ask(charge);
      expect(state).to.include({ waitsFor: 'capture', reference: charge.reference });
      expectAsked(state, charge);
    }
    expect(await now().movements()).to.equal(0);
  });

  promise('reports one time until which an authorized charge can be captured, or none', needs, async () => {
    const charge = await authorize();
    const { lifecycle, provider } = now();
    const { charge: retrieved } =
      (await lifecycle.retrieveCharge(charge.reference)) ?? expect.fail('It is there.');
    const states = [retrieved, await provider.charge(charge), await provider.closeCharge(charge)];
    for (const state of [...states, await lifecycle.findCharge(charge)]) {
      const { captureBefore } = { captureBefore: undefined, ...state };
      if (captureBefore !== null) expect(Instant.parse(String(captureBefore))).to.equal(captureBefore);
      expect(state).to.deep.equal(retrieved);
    }
  });

  const alsoLoses = [...needs, 'world.loseResponses'] as const;

  promise('captures once when the response is lost and the request repeated', alsoLoses, async () => {
    const charge = await authorize();
    const captureId = newId();
    await now().world.loseResponses(true);
    for (const _ of ['once', 'twice']) expectOpen(await rejectionOf(capture(charge, half, captureId)));
    await now().world.loseResponses(false);
    const outcome = await capture(charge, half, captureId);
    expect(outcome).to.have.property('reference').that.is.a('string').and.not.equal('');
    expect(await capture(charge, half, captureId)).to.deep.equal(outcome);
    expect(await capture(charge)).to.have.property('declined');
    expectTaken(await now().lifecycle.findCharge(charge), charge, half);
    expect(await now().movements()).to.equal(1);
  });

  promise('reports that a charge is canceled when the response was lost', alsoLoses, async () => {
    const charge = await authorize();
    await now().world.loseResponses(true);
    for (const _ of ['once', 'twice']) expectOpen(await rejectionOf(now().lifecycle.cancel(charge)));
    await now().world.loseResponses(false);
    const canceled = { canceled: true, reference: charge.reference };
    expect(await now().lifecycle.findCharge(charge)).to.deep.equal(canceled);
    expect(await now().lifecycle.cancel(charge)).to.deep.equal(canceled);
    expect(await now().movements()).to.equal(0);
  });

  promise('captures once per capture id, and as much as was asked', needs, async () => {
    const charge = await authorize();
    const captureId = newId();
    const results = await Promise.allSettled(atOnce(5, () => capture(charge, half, captureId)));
    const outcome = await capture(charge, half, captureId);
    expect(outcome).to.have.property('reference').that.is.a('string').and.not.equal('');
    for (const result of results) {
      if (result.status === 'fulfilled') expect(result.value).to.deep.equal(outcome);
      else expectOpen(result.reason);
    }
    expectTaken(await now().lifecycle.findCharge(charge), charge, half);
    expect(await now().movements()).to.equal(1);
  });

  promise('reports no refund of what was authorized and not captured', needs, async () => {
    const charge = await authorize();
    await capture(charge);
    const snapshot = await now().lifecycle.retrieveCharge(charge.reference);
    expectTaken(snapshot?.charge, charge, half);
    expect(snapshot?.refunds).to.deep.equal([]);
    const held = await authorize();
    await now().lifecycle.cancel(held);
    expect((await now().lifecycle.retrieveCharge(held.reference))?.refunds).to.deep.equal([]);
  });

  promise('declines a capture of more than was authorized, and a second one', needs, async () => {
    const charge = await authorize();
    const [tooMuch, captureId] = [{ amount: 451, currency: 'EUR' }, newId()];
    for (const _ of ['once', 'twice'])
      expect(await capture(charge, tooMuch, captureId))
        .to.have.nested.property('declined.code')
        .that.is.a('string');
    expect(await now().movements()).to.equal(0);
    expect(await capture(charge)).to.have.property('reference');
    expect(await capture(charge)).to.have.property('declined');
    expect(await now().movements()).to.equal(1);
  });

  promise('captures for one of several capture ids alone', needs, async () => {
    const charge = await authorize();
    const results = await Promise.allSettled(atOnce(5, () => capture(charge)));
    const captured = results.filter((result) => result.status === 'fulfilled' && 'reference' in result.value);
    expect(captured).to.have.lengthOf(1);
    expectTaken(await now().lifecycle.findCharge(charge), charge, half);
    expect(await now().movements()).to.equal(1);
  });

  promise('gives an authorized charge up, and captures nothing after that', needs, async () => {
    const charge = await authorize();
    const canceled = { canceled: true, reference: charge.reference };
    for (const _ of ['once', 'twice']) expect(await now().lifecycle.cancel(charge)).to.deep.equal(canceled);
    expect(await capture(charge)).to.have.property('declined');
    expect(await now().lifecycle.findCharge(charge)).to.deep.equal(canceled);
    expect(await now().movements()).to.equal(0);
  });

  promise('has one outcome when a charge is captured and canceled at the same time', needs, async () => {
    const charge = await authorize();
    const [state, outcome] = await Promise.all([now().lifecycle.cancel(charge), capture(charge)]);
    const isCanceled = 'canceled' in state;
    expect(outcome).to.have.property(isCanceled ? 'declined' : 'reference');
    if (!isCanceled) expectTaken(state, charge, half);
    expect(await now().lifecycle.findCharge(charge)).to.deep.equal(state);
    expect(await now().movements()).to.equal(isCanceled ? 0 : 1);
  });

  promise('reports how much was captured of a charge that is canceled too late', needs, async () => {
    const charge = await authorize();
    await capture(charge);
    expectTaken(await now().lifecycle.cancel(charge), charge, half);
    expect(await now().movements()).to.equal(1);
  });

  promise(
    'reports a charge that was captured at the provider',
    [...needs, 'world.captureExternally'],
    async () => {
      const { world, lifecycle, movements } = now();
      const charge = await authorize(world.captureExternally.method);
      await world.captureExternally.happen(charge.reference);
      const state = await lifecycle.findCharge(charge);
      expect(state).to.include({ reference: charge.reference }).and.not.have.any.keys('waitsFor', 'canceled');
      expect(await lifecycle.retrieveCharge(charge.reference)).to.have.deep.property('charge', state);
      expect(await capture(charge)).to.have.property('declined');
      expect(await movements()).to.equal(1);
    },
  );

  promise(
    'reports a charge that was canceled at the provider',
    [...needs, 'world.cancelExternally'],
    async () => {
      const { world, lifecycle, movements } = now();
      const charge = await authorize(world.cancelExternally.method);
      await world.cancelExternally.happen(charge.reference);
      const state = await lifecycle.findCharge(charge);
      const canceled = { canceled: true, reference: charge.reference };
      // Only the provider knows whether it has given the charge up by itself.
      expect([canceled, { ...canceled, expired: true }]).to.deep.include(state);
      expect(await lifecycle.retrieveCharge(charge.reference)).to.have.deep.property('charge', state);
      expect(await capture(charge)).to.have.property('declined');
      expect(await movements()).to.equal(0);
    },
  );
};
