import { expect } from 'chai';
import { incompleteCapability } from '#application/payments/provider-capabilities.ts';
import { maxRequestLifetimeMs } from '#application/ports/payment-provider.ts';
import { Instant } from '#domain/instant.ts';
import { newId } from '../../support/machine.ts';
import { rejectionOf } from '../harness.ts';
import { aCharge, aRefundRequest, expectOpen } from '../payment-provider.ts';
import { expectAsked, expectTaken, type Fixture, foreignFor, half } from './fixture.ts';

/** What a provider reports of a charge, and what it does not do by that. */
export const describeFinding = ({ promise, now, begin, authorize, capture }: Fixture): void => {
  promise('leaves out nothing that what it offers needs', [], async () => {
    expect(incompleteCapability(now().lifecycle)).to.equal(undefined);
  });

  promise('finds no charge that has not arrived, and does not close it', [], async () => {
    const { lifecycle, provider, good } = now();
    const charge = aCharge(good);
    expect(await lifecycle.findCharge(charge)).to.equal(undefined);
    expect(await provider.charge(charge)).to.have.property('reference');
  });

  promise('finds a charge as it was made', [], async () => {
    const { lifecycle, provider, good } = now();
    const charge = await begin(good);
    expect(await lifecycle.findCharge(charge)).to.deep.equal(await provider.charge(charge));
    expectTaken(await lifecycle.findCharge(charge), charge);
    expect(await now().movements()).to.equal(1);
  });

  promise('finds a charge that was declined as declined', [], async () => {
    const { lifecycle, provider, bad } = now();
    const charge = aCharge(bad);
    const { declined } = { declined: undefined, ...(await provider.charge(charge)) };
    expect(await lifecycle.findCharge(charge)).to.have.deep.property('declined', declined);
  });

  promise('reads the same of a charge by its reference', [], async () => {
    const { lifecycle, good } = now();
    const charge = await begin(good);
    expect(await lifecycle.retrieveCharge(charge.reference)).to.deep.equal({
      ...{ reference: charge.reference, paymentId: charge.paymentId, refunds: [], disputes: [] },
      charge: await lifecycle.findCharge(charge),
    });
  });

  promise('knows no charge that is not of this shop', [], async () => {
    const { lifecycle, good } = now();
    const { reference } = await begin(good);
    for (const foreign of ['unheard-of', foreignFor(reference)])
      expect(await lifecycle.retrieveCharge(foreign), foreign).to.equal(undefined);
    expect(await lifecycle.findCharge(aCharge(good))).to.equal(undefined);
  });

  promise(
    'reports that it decides later, which no close changes, and its outcome then',
    ['world.agreeLater'],
    async () => {
      const { lifecycle, provider, movements, world } = now();
      const charge = await begin(world.agreeLater.method);
      for (const ask of [lifecycle.findCharge, provider.closeCharge]) {
        const state = await ask(charge);
        expect(state).to.include({ waitsFor: 'provider', reference: charge.reference });
        expectAsked(state, charge);
      }
      expect(await movements()).to.equal(0);
      await world.agreeLater.happen(charge.reference);
      expectTaken(await lifecycle.findCharge(charge), charge);
      expectTaken(await provider.closeCharge(charge), charge);
      expect(await movements()).to.equal(1);
    },
  );

  promise('reports that it decides later, and why it has declined then', ['world.rejectLater'], async () => {
    const { lifecycle, movements, world } = now();
    const charge = await begin(world.rejectLater.method);
    expect(await lifecycle.findCharge(charge)).to.have.property('waitsFor', 'provider');
    await world.rejectLater.happen(charge.reference);
    for (const field of ['code', 'message'])
      expect(await lifecycle.findCharge(charge))
        .to.have.nested.property(`declined.${field}`)
        .that.is.a('string')
        .and.not.equal('');
    expect(await movements()).to.equal(0);
  });

  promise(
    'reports its outcomes when what was made is closed after its window',
    ['world.forgetIds'],
    async () => {
      const { provider, world, good, bad, movements } = now();
      const charge = await begin(good);
      const [declined, lost] = [aCharge(bad), aCharge(good)];
      const request = aRefundRequest(charge.reference, { amount: half });
      const [taken, refused] = [await provider.charge(charge), await provider.charge(declined)];
      const refunded = await provider.refund(request);
      await world.forgetIds();
      const age = provider.idempotencyWindowMs + 2 * maxRequestLifetimeMs;
      for (const _ of ['once', 'twice']) {
        expect(await provider.closeCharge({ ...charge, age })).to.deep.equal(taken);
        expect(await provider.closeCharge({ ...declined, age })).to.deep.equal(refused);
        expect(await provider.closeRefund(request)).to.deep.equal(refunded);
        expect(await provider.closeCharge({ ...lost, age })).to.have.nested.property(
          'declined.code',
          'not_charged',
        );
      }
      expect(await movements()).to.equal(2);
    },
  );

  promise(
    'refunds once when the response is lost and the request repeated',
    ['world.loseResponses'],
    async () => {
      const { provider, world, good, movements } = now();
      const request = aRefundRequest((await begin(good)).reference);
      await world.loseResponses(true);
      for (const _ of ['once', 'twice']) expectOpen(await rejectionOf(provider.refund(request)));
      await world.loseResponses(false);
      const outcome = await provider.refund(request);
      expect(outcome).to.have.property('reference').that.is.a('string').and.not.equal('');
      expect(await provider.closeRefund(request)).to.deep.equal(outcome);
      expect(await movements()).to.equal(2);
    },
  );

  promise('throws when it cannot be reached, whatever it is asked', ['world.setAvailable'], async () => {
    const { lifecycle, provider, world, good } = now();
    const charge = await begin(good);
    await provider.refund(aRefundRequest(charge.reference, { amount: half }));
    const [refund = expect.fail('It was refunded.')] =
      (await lifecycle.retrieveCharge(charge.reference))?.refunds ?? [];
    const providerObject = { kind: 'refund', reference: refund.reference } as const;
    const authorized = lifecycle.capture === undefined ? undefined : await authorize();
    await world.setAvailable(false);
    const calls = [
      provider.charge(aCharge(good)),
      provider.closeCharge(aCharge(good)),
      provider.refund(aRefundRequest(charge.reference)),
      lifecycle.findCharge(charge),
      lifecycle.retrieveCharge(charge.reference),
      ...(authorized === undefined ? [] : [capture(authorized), lifecycle.cancel(authorized)]),
      ...(lifecycle.findChargeOf === undefined ? [] : [lifecycle.findChargeOf(providerObject)]),
      ...(lifecycle.listProviderEvents === undefined ? [] : [lifecycle.listProviderEvents(Instant.at(0))]),
    ];
    for (const call of calls.map(rejectionOf)) expectOpen(await call);
    await world.setAvailable(true);
    expectTaken(await lifecycle.findCharge(charge), charge);
    if (authorized !== undefined)
      expect(await capture(authorized, undefined, newId())).to.have.property('reference');
  });
};
