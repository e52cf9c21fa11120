import { expect } from 'chai';
import { aCharge, referenceOf } from '../../contracts/payment-provider.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { type Fate, fates, impatientAt } from './late-responses.ts';
import { cannedServers, openOutcomeOf, stripeAt, stripeServer } from './stripe.ts';

describe('A charge by Stripe', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);

  it('is one intent, with the payment id in its metadata', async () => {
    const charge = aCharge('pm_card_visa');
    const id = await referenceOf(provider().charge(charge));
    const { charges, requests } = await stripe().ledger();
    expect(charges).to.have.lengthOf(1);
    expect(charges[0]).to.include({ id, payment_id: charge.paymentId, amount: 450, currency: 'eur' });
    expect(requests).to.equal(1);
  });

  it('goes out with the payment’s id as its key, for cards, and never waits for the payer', async () => {
    const intent = { id: 'pi_1', status: 'succeeded' };
    const server = await canned({ 'POST /v1/payment_intents': { body: intent } });
    const charge = aCharge('pm_of_somebody');
    expect(await referenceOf(stripeAt(server.url).charge(charge))).to.equal('pi_1');
    expect(server.requests).to.have.lengthOf(1);
    expect(server.requests[0]?.headers).to.include({ 'idempotency-key': charge.paymentId });
    expect(Object.fromEntries(server.requests[0]?.form ?? [])).to.deep.equal({
      amount: '450',
      currency: 'eur',
      payment_method: 'pm_of_somebody',
      'allowed_payment_method_types[0]': 'card',
      confirm: 'true',
      error_on_requires_action: 'true',
      'metadata[payment_id]': charge.paymentId,
    });
  });

  it('is declined with Stripe’s code and message for a card that is declined', () =>
    forEachCase(
      [
        ['pm_card_chargeDeclined', 'generic_decline', 'Your card was declined.'],
        [
          'pm_card_chargeDeclinedInsufficientFunds',
          'insufficient_funds',
          'Your card has insufficient funds.',
        ],
        ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'Your card has expired.'],
        [
          'pm_card_authenticationRequired',
          'authentication_required',
          'Your card was declined. This transaction requires authentication.',
        ],
      ] as const,
      async ([paymentMethod, code, message]) => {
        const outcome = await provider().charge(aCharge(paymentMethod));
        expect(outcome).to.deep.equal({ declined: { code, message } });
        expect((await stripe().ledger()).charges).to.deep.equal([]);
      },
    ));

  it('is declined where Stripe does not know the payment method, which is not repeated to anybody', async () => {
    const charge = aCharge('pm_1NeverHeardOf');
    const outcome = await provider().charge(charge);
    expect(outcome).to.deep.equal({
      declined: { code: 'resource_missing', message: "No such PaymentMethod: '…'" },
    });
  });

  it('is declined where it is too small for Stripe', async () => {
    const charge = aCharge('pm_card_visa', { amount: { amount: 1, currency: 'EUR' } });
    const outcome = await provider().charge(charge);
    expect(outcome).to.have.nested.property('declined.code', 'amount_too_small');
    expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
  });

  /** A charge whose request fails, or whose response is lost or late. */
  const unlucky = async ([fate, kind, charged]: Fate) => {
    await stripe().reset();
    await stripe().setNetworkFaults({ stallMilliseconds: 60_000 });
    await stripe().script(fate);
    const charge = aCharge('pm_card_visa');
    await openOutcomeOf(impatientAt(stripe(), 10_000).provider.charge(charge), kind);
    const { charges, requests } = await stripe().ledger();
    expect(charges).to.have.lengthOf(charged);
    expect(requests, 'sent once').to.equal(1);
    return { charge, charged };
  };

  it('has an unknown outcome when its request fails or its response is lost, and is made once when it is retried', () =>
    forEachCase(fates, async (fate) => {
      const { charge } = await unlucky(fate);
      const id = await referenceOf(provider().charge(charge));
      expect(await referenceOf(provider().charge(charge))).to.equal(id);
      const { charges } = await stripe().ledger();
      expect(charges.map((each) => each.id)).to.deep.equal([id]);
    }));

  it('whose outcome was unknown is found or prevented when it is closed', () =>
    forEachCase(fates, async (fate) => {
      const { charge, charged } = await unlucky(fate);
      const outcome = await provider().closeCharge(charge);
      expect(await provider().charge(charge)).to.deep.equal(outcome);
      const { charges } = await stripe().ledger();
      expect(charges).to.have.lengthOf(charged);
      if (charged) expect(outcome).to.include({ reference: charges[0]?.id });
      else expect(outcome).to.have.nested.property('declined.code', 'not_charged');
    }));

  it('is declined when Stripe stored a failure and a declined intent', async () => {
    await stripe().script('failAfter');
    const charge = aCharge('pm_card_chargeDeclined');
    await openOutcomeOf(provider().charge(charge), 'provider-failed');
    const outcome = await provider().charge(charge);
    expect(outcome).to.have.nested.property('declined.code', 'generic_decline');
  });

  it('has an unknown outcome while a concurrent request is in flight, and the same outcome after it', async () => {
    await stripe().setNetworkFaults({ delayMilliseconds: 60_000 });
    const charge = aCharge('pm_card_visa');
    const isUnderWay = stripe().delayed();
    const first = provider().charge(charge);
    await isUnderWay;
    await stripe().setNetworkFaults({});
    await openOutcomeOf(provider().charge(charge), 'provider-failed');
    await openOutcomeOf(provider().closeCharge(charge), 'provider-failed');
    await stripe().advance(60_000);
    const outcome = await first;
    expect(await provider().charge(charge)).to.deep.equal(outcome);
    expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    expect((await stripe().ledger()).charges).to.have.lengthOf(1);
  });

  it('waits for the provider while the bank processes it, and is retrieved again by a retry', async () => {
    const intent = { id: 'pi_1', status: 'processing', amount: 450, currency: 'eur' };
    const server = await canned({
      'POST /v1/payment_intents': [
        { body: intent },
        { body: intent, headers: { 'Idempotent-Replayed': 'true' } },
      ],
      'GET /v1/payment_intents/pi_1': [{ body: intent }, { body: { ...intent, status: 'succeeded' } }],
    });
    const charge = aCharge('pm_card_visa');
    const accepted = { reference: 'pi_1', amount: charge.amount };
    for (const _ of ['once', 'twice']) {
      const state = await stripeAt(server.url).charge(charge);
      expect(state).to.deep.equal({ ...accepted, waitsFor: 'provider' });
    }
    expect(await stripeAt(server.url).charge(charge)).to.deep.equal(accepted);
  });

  it('is canceled when it would wait for the payer', async () => {
    const intent = { id: 'pi_1', status: 'requires_action' };
    const server = await canned({
      'POST /v1/payment_intents': { body: intent },
      'POST /v1/payment_intents/pi_1/cancel': { body: { ...intent, status: 'canceled' } },
    });
    const outcome = await stripeAt(server.url).charge(aCharge('pm_card_visa'));
    expect(outcome).to.have.nested.property('declined.code', 'not_charged');
    expect(server.requests.at(-1)?.endpoint).to.equal('POST /v1/payment_intents/pi_1/cancel');
  });

  it('asks Stripe for its units of each currency', () =>
    forEachCase(
      [
        ['EUR', 450, '450'],
        ['JPY', 500, '500'],
        ['KWD', 5_120, '5120'],
        ['HUF', 90_000, '90000'],
        ['EUR', Number.MAX_SAFE_INTEGER, '9007199254740991'],
        // Stripe still counts hundredths of these.
        ['ISK', 500, '50000'],
        ['UGX', 500, '50000'],
        // It counts the whole of this one, and refuses what is none.
        ['MGA', 12_300, '123'],
        ['MGA', 12_350, '123.5'],
      ] as const,
      async ([currency, amount, units]) => {
        const intent = { id: 'pi_1', status: 'succeeded' };
        const server = await canned({ 'POST /v1/payment_intents': { body: intent } });
        await stripeAt(server.url).charge(aCharge('pm_card_visa', { amount: { amount, currency } }));
        expect(server.requests[0]?.form.get('amount')).to.equal(units);
        expect(server.requests[0]?.form.get('currency')).to.equal(currency.toLowerCase());
      },
    ));
});
