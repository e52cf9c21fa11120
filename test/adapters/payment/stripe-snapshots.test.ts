import { expect } from 'chai';
import { checkedProvider } from '#application/payments/checked-provider.ts';
import type { CaptureId } from '#domain/capture.ts';
import { Instant } from '#domain/instant.ts';
import { aCharge, aRefundRequest, referenceOf } from '../../contracts/payment-provider.ts';
import { newId } from '../../support/machine.ts';
import { cannedServers, openOutcomeOf, stripeAt, stripeServer } from './stripe.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('What Stripe tells of a charge', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);
  const lifecycle = () => provider().lifecycle;

  const authorized = async () => {
    const charge = aCharge('pm_card_visa', { captureMethod: 'manual' });
    return { charge, reference: await referenceOf(provider().charge(charge)) };
  };
  const captureOf = (paymentId: string, chargeReference: string, amount: number) => ({
    ...{ captureId: newId<CaptureId>(), paymentId: paymentId as never, chargeReference },
    amount: eur(amount),
  });

  it('is that it is authorized, until the bank gives it back', async () => {
    const charge = aCharge('pm_card_visa', { captureMethod: 'manual' });
    const state = await provider().charge(charge);
    expect(state).to.include({ waitsFor: 'capture' });
    const { captureBefore } = state as { readonly captureBefore: Instant };
    expect(Instant.milliseconds(captureBefore) - Date.now()).to.be.within(6.9 * 86_400_000, 7.1 * 86_400_000);
    for (const ask of [provider().charge, provider().closeCharge, lifecycle().findCharge])
      expect(await ask(charge)).to.deep.equal(state);
    expect((await stripe().ledger()).charges).to.deep.equal([]);
  });

  it('is what was captured, once per capture', async () => {
    const { charge, reference } = await authorized();
    const request = captureOf(charge.paymentId, reference, 300);
    const captured = { reference, amount: eur(300), id: charge.paymentId };
    for (const _ of ['once', 'twice']) expect(await lifecycle().capture(request)).to.deep.equal(captured);
    await stripe().purgeIdempotencyKeys();
    expect(await lifecycle().capture(request)).to.deep.equal(captured);
    const other = await lifecycle().capture(captureOf(charge.paymentId, reference, 100));
    expect(other).to.have.nested.property('declined.code', 'payment_intent_unexpected_state');
    expect((await lifecycle().retrieveCharge(reference))?.charge).to.deep.equal(captured);
  });

  it('is what was captured in the dashboard, in part too, wherever it is asked about', async () => {
    const { charge, reference } = await authorized();
    await stripe().captureInDashboard(reference, 300);
    const captured = { reference, amount: eur(300), id: charge.paymentId };
    const checked = checkedProvider(provider(), () => undefined);
    expect(await checked.lifecycle?.findCharge(charge)).to.deep.equal(captured);
    expect(await checked.lifecycle?.cancel?.({ ...charge, reference })).to.deep.equal(captured);
    expect(await checked.closeCharge(charge)).to.deep.equal(captured);
    expect(await checked.charge(charge)).to.deep.equal(captured);
    const ours = await checked.lifecycle?.capture?.(captureOf(charge.paymentId, reference, 300));
    expect(ours).to.have.nested.property('declined.code', 'payment_intent_unexpected_state');
  });

  it('is what was captured in the dashboard, although Stripe has stored a failure for the capture from here', async () => {
    const { charge, reference } = await authorized();
    await stripe().captureInDashboard(reference, 300);
    const request = captureOf(charge.paymentId, reference, 450);
    await stripe().script('failAfter');
    await openOutcomeOf(lifecycle().capture(request), 'provider-failed');
    expect(await lifecycle().capture(request)).to.have.nested.property(
      'declined.code',
      'payment_intent_unexpected_state',
    );
    expect((await stripe().ledger()).charges.map(({ amount }) => amount)).to.deep.equal([300]);
  });

  it('is what was captured here once, although Stripe has stored a failure for it', async () => {
    const { charge, reference } = await authorized();
    const request = captureOf(charge.paymentId, reference, 300);
    await stripe().script('failAfter');
    await openOutcomeOf(lifecycle().capture(request), 'provider-failed');
    expect(await lifecycle().capture(request)).to.deep.equal({
      ...{ reference, amount: eur(300), id: charge.paymentId },
    });
    expect((await stripe().ledger()).charges.map(({ amount }) => amount)).to.deep.equal([300]);
  });

  it('has no refund of what was released, whether a part was captured or nothing', async () => {
    const { charge, reference } = await authorized();
    await lifecycle().capture(captureOf(charge.paymentId, reference, 300));
    expect((await lifecycle().retrieveCharge(reference))?.refunds).to.deep.equal([]);
    const outside = await stripe().refundInDashboard(reference, 150);
    expect(
      (await lifecycle().retrieveCharge(reference))?.refunds.map((each) => each.reference),
    ).to.deep.equal([outside]);
    const { charge: second, reference: held } = await authorized();
    const canceled = { canceled: true, reference: held };
    expect(await lifecycle().cancel({ ...second, reference: held })).to.deep.equal(canceled);
    expect(await lifecycle().retrieveCharge(held)).to.deep.equal({
      ...{ reference: held, paymentId: second.paymentId },
      ...{ charge: canceled, refunds: [], disputes: [] },
    });
  });

  it('has no refund of what an account with an older version of the API has released in its dashboard', async () => {
    await stripe().hasOldVersion();
    for (const amount of [150, 300]) {
      const { reference } = await authorized();
      await stripe().captureInDashboard(reference, amount);
      const told = async () =>
        (await lifecycle().retrieveCharge(reference))?.refunds.map((refund) => [
          refund.reference,
          refund.amount.amount,
        ]);
      expect(await told()).to.deep.equal([]);
      const outside = await stripe().refundInDashboard(reference, 150);
      expect(await told()).to.deep.equal([[outside, 150]]);
    }
  });

  it('has a refund from outside of as much as was released', async () => {
    const { reference } = await authorized();
    await stripe().captureInDashboard(reference, 300);
    const outside = await stripe().refundInDashboard(reference, 150);
    expect(
      (await lifecycle().retrieveCharge(reference))?.refunds.map((each) => each.reference),
    ).to.deep.equal([outside]);
  });

  it('has such a refund unless the balance shows the release, as far as the key may read it', async () => {
    const [money, charge] = [{ currency: 'eur' }, 'ch_1'] as const;
    const intent = { id: 'pi_1', status: 'succeeded', amount: 450, amount_received: 300, ...money };
    const latest_charge = { id: charge, amount: 450, amount_captured: 300, captured: true };
    const refund = { id: 're_1', status: 'succeeded', amount: 150, ...money };
    const snapshotOf = async (shown: object) => {
      const server = await canned({
        'GET /v1/payment_intents/pi_1': { body: { ...intent, metadata: {}, latest_charge } },
        'GET /v1/refunds': { body: { data: [refund] } },
        'GET /v1/disputes': { body: { data: [] } },
        'GET /v1/charges/ch_1': shown as never,
      });
      return stripeAt(server.url).lifecycle.retrieveCharge('pi_1');
    };
    const balance = (balance_transaction: object | null) => ({ body: { id: charge, balance_transaction } });
    expect((await snapshotOf(balance({ amount: 405, exchange_rate: 0.9 })))?.refunds).to.have.lengthOf(0);
    expect((await snapshotOf(balance({ amount: 270, exchange_rate: 0.9 })))?.refunds).to.have.lengthOf(1);
    const forbidden = { status: 403, body: { error: { type: 'invalid_request_error', message: 'No.' } } };
    expect((await snapshotOf(forbidden))?.refunds).to.have.lengthOf(1);
    await openOutcomeOf(snapshotOf(balance(null)), 'provider-failed');
  });

  it('is that it was given up because its time was over', async () => {
    for (const isOld of [false, true]) {
      await stripe().reset();
      await stripe().hasOldVersion(isOld);
      const { reference } = await authorized();
      await stripe().advance(7 * 24 * 3_600_000);
      expect(await lifecycle().retrieveCharge(reference)).to.deep.include({
        ...{ charge: { canceled: true, reference, expired: true }, refunds: [] },
      });
    }
  });

  it('has every refund, made here or there, with the reason of a failure', async () => {
    const charge = aCharge('pm_card_visa');
    const reference = await referenceOf(provider().charge(charge));
    const request = aRefundRequest(reference, { amount: eur(100) });
    const own = await referenceOf(provider().refund(request));
    const outside = await stripe().refundInDashboard(reference, 50);
    await stripe().moveRefund(own, 'failed', 'lost_or_stolen_card');
    const refunds = await Promise.all(
      (['pending', 'requires_action', 'canceled'] as const).map(async (status) => {
        const id = await stripe().refundInDashboard(reference, 10);
        await stripe().moveRefund(id, status);
        return id;
      }),
    );
    const told = new Map(
      (await lifecycle().retrieveCharge(reference))?.refunds.map((each) => [each.reference, each]),
    );
    expect(told.size).to.equal(5);
    expect(told.get(own)).to.deep.equal({
      ...{ reference: own, refundId: request.refundId, amount: eur(100), status: 'failed' },
      failure: { code: 'lost_or_stolen_card', message: 'The refund failed.' },
    });
    expect(told.get(outside)).to.deep.equal({
      ...{ reference: outside, refundId: null, amount: eur(50), status: 'succeeded', failure: null },
    });
    expect(refunds.map((id) => told.get(id)?.status)).to.deep.equal(['pending', 'pending', 'failed']);
    expect(told.get(String(refunds[2]))?.failure?.code).to.equal('canceled');
  });

  it('has more refunds than a page', async () => {
    const reference = await referenceOf(provider().charge(aCharge('pm_card_visa')));
    for (let made = 0; made < 120; made += 1) await stripe().refundInDashboard(reference, 1);
    expect((await lifecycle().retrieveCharge(reference))?.refunds).to.have.lengthOf(120);
  });

  it('has its disputes in words of Portico', async () => {
    const reference = await referenceOf(provider().charge(aCharge('pm_card_visa')));
    const id = await stripe().dispute(reference, { amount: 250, reason: 'duplicate' });
    const [dispute] = (await lifecycle().retrieveCharge(reference))?.disputes ?? [];
    expect(dispute).to.deep.include({ amount: eur(250), reason: 'duplicate', providerReference: id });
    expect(dispute?.evidenceDueAt).to.be.a('string');
    for (const [status, word] of [
      ['warning_needs_response', 'warning'],
      ['warning_under_review', 'warning'],
      ['warning_closed', 'closed'],
      ['needs_response', 'needs_response'],
      ['under_review', 'under_review'],
      ['appeal_needs_response', 'needs_response'],
      ['appeal_under_review', 'under_review'],
      ['won', 'won'],
      ['lost', 'lost'],
      ['prevented', 'closed'],
    ] as const) {
      await stripe().moveDispute(id, status);
      expect((await lifecycle().retrieveCharge(reference))?.disputes[0]?.status).to.equal(word);
    }
  });

  it('counts an unknown status of a dispute as under review, with a warning', async () => {
    const warnings: string[] = [];
    const intent = { id: 'pi_1', status: 'succeeded', amount: 450, currency: 'eur', metadata: {} };
    const dispute = { id: 'du_1', status: 'mediated', amount: 450, currency: 'eur', reason: 'general' };
    const server = await canned({
      'GET /v1/payment_intents/pi_1': { body: intent },
      'GET /v1/refunds': { body: { data: [] } },
      'GET /v1/disputes': { body: { data: [dispute] } },
    });
    const told = await stripeAt(server.url, 10_000, (message) =>
      warnings.push(message),
    ).lifecycle.retrieveCharge('pi_1');
    expect(told).to.deep.include({ paymentId: null });
    expect(told?.disputes[0]).to.include({ status: 'under_review', evidenceDueAt: null });
    expect(warnings)
      .to.have.lengthOf(1)
      .and.match(/mediated/);
  });

  it('is found from a refund, a dispute and a charge, and from nothing that is not there', async () => {
    const reference = await referenceOf(provider().charge(aCharge('pm_card_visa')));
    const refund = await stripe().refundInDashboard(reference, 10);
    const dispute = await stripe().dispute(reference);
    const at = (kind: 'charge' | 'refund' | 'dispute', place: string) =>
      lifecycle().findChargeOf({ kind, reference: place });
    expect(await at('charge', reference)).to.equal(reference);
    expect(await at('refund', refund)).to.equal(reference);
    expect(await at('dispute', dispute)).to.equal(reference);
    for (const kind of ['charge', 'refund', 'dispute'] as const)
      for (const place of ['ch_unknown', '', '../events', 'x'.repeat(300)])
        expect(await at(kind, place), `${kind} ${place}`).to.equal(undefined);
    for (const place of ['pi_unknown', 'ch_unknown', '', '../events'])
      expect(await lifecycle().retrieveCharge(place)).to.equal(undefined);
  });

  it('is nothing of what only blocks the key of a closed charge', async () => {
    const metadata = { payment_id: 'p', closed: 'true' };
    const server = await canned({
      'GET /v1/payment_intents/pi_1': { body: { id: 'pi_1', status: 'requires_payment_method', metadata } },
    });
    expect(await stripeAt(server.url).lifecycle.retrieveCharge('pi_1')).to.equal(undefined);
  });
});
