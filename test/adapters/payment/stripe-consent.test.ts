import { expect } from 'chai';
import Stripe from 'stripe';
import { apiVersion } from '#adapters/payment/stripe/api/client.ts';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import type { Charge } from '#application/ports/payment-provider.ts';
import { aCharge, referenceOf } from '../../contracts/payment-provider.ts';
import { cannedServers, openOutcomeOf, stripeAt, stripeServer } from './stripe.ts';

const returnUrl = 'https://shop.example/back?order=1';
const authenticated = 'pm_card_authenticationRequired';
const asked = (details: Partial<Charge> = {}): Charge =>
  aCharge(authenticated, { payer: { returnUrl: null }, ...details });

describe('A payer at Stripe', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);
  const { stringify } = JSON;

  it('is asked at an address when there is one to return to', async () => {
    const charge = asked({ payer: { returnUrl } });
    const state = await provider().charge(charge);
    expect(state).to.deep.include({ waitsFor: 'payer', id: charge.paymentId, amount: charge.amount });
    expect(state).to.have.nested.property('nextAction.type', 'redirect');
    expect(state)
      .to.have.nested.property('nextAction.url')
      .that.matches(/^https:/);
  });

  it('is asked by Stripe’s library in the page otherwise', async () => {
    const state = await provider().charge(asked());
    expect(state).to.have.nested.property('nextAction.type', 'provider_sdk');
    expect(state)
      .to.have.nested.property('nextAction.clientSecret')
      .that.matches(/_secret_/);
  });

  it('is not asked when the card needs no consent, or no payer is present', async () => {
    expect(await provider().charge(asked({ paymentMethod: 'pm_card_visa' }))).to.not.have.property(
      'waitsFor',
    );
    const declined = await provider().charge(aCharge(authenticated));
    expect(declined).to.have.nested.property('declined.code', 'authentication_required');
  });

  it('makes the charge succeed by consent, as a retry and a look tell', async () => {
    const charge = asked();
    const reference = await referenceOf(provider().charge(charge));
    for (const ask of [provider().charge, provider().lifecycle.findCharge])
      expect(await ask(charge)).to.include({ reference, waitsFor: 'payer' });
    await stripe().consent(reference);
    const paid = { reference, amount: charge.amount, id: charge.paymentId };
    expect(await provider().charge(charge)).to.deep.equal(paid);
    expect(await provider().lifecycle.findCharge(charge)).to.deep.equal(paid);
    expect((await stripe().ledger()).charges).to.have.lengthOf(1);
  });

  it('who refuses cannot try another card after the decline was told', async () => {
    for (const ask of ['charge', 'findCharge', 'retrieveCharge', 'closeCharge'] as const) {
      const charge = asked();
      const reference = await referenceOf(provider().charge(charge));
      await stripe().refuse(reference);
      const told = async () => {
        if (ask === 'findCharge') return provider().lifecycle.findCharge(charge);
        if (ask === 'retrieveCharge') return (await provider().lifecycle.retrieveCharge(reference))?.charge;
        return provider()[ask](charge);
      };
      for (const _ of ['once', 'twice'])
        expect(await told()).to.have.nested.property(
          'declined.code',
          'payment_intent_authentication_failure',
        );
      await expectClosed(reference);
    }
  });

  it('whose card is accepted after all while a decline is read has paid', async () => {
    const metadata = { payment_id: 'p', payer_present: 'true' };
    const money = { amount: 450, currency: 'eur' };
    const intent = { id: 'pi_1', status: 'requires_payment_method', metadata, ...money };
    const server = await canned({
      'GET /v1/payment_intents/pi_1': [
        { body: { ...intent, last_payment_error: { code: 'card_declined' } } },
        { body: { ...intent, status: 'succeeded' } },
      ],
      'POST /v1/payment_intents/pi_1/cancel': {
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' } },
      },
      'GET /v1/refunds': { body: { data: [] } },
      'GET /v1/disputes': { body: { data: [] } },
    });
    const snapshot = await stripeAt(server.url).lifecycle.retrieveCharge('pi_1');
    expect(snapshot?.charge).to.include({ reference: 'pi_1' }).and.not.have.property('declined');
  });

  it('finds no charge that has not arrived, and none that was closed before', async () => {
    const charge = asked();
    expect(await provider().lifecycle.findCharge(charge)).to.equal(undefined);
    await provider().closeCharge(charge);
    expect(await provider().lifecycle.findCharge(charge)).to.equal(undefined);
  });

  it('finds a charge while the search index lags behind', async () => {
    await stripe().searchLag(60 * 60 * 1000);
    const charge = asked();
    const reference = await referenceOf(provider().charge(charge));
    expect(await provider().lifecycle.findCharge(charge)).to.include({ reference, waitsFor: 'payer' });
  });

  it('is looked up by the reference of the charge in one request, whatever else names the payment', async () => {
    const charge = asked();
    const metadata = { payment_id: charge.paymentId };
    const intent = { ...metadata, metadata, amount: charge.amount.amount, currency: 'eur' };
    const other = { ...intent, id: 'pi_2', status: 'succeeded' };
    const server = await canned({
      'GET /v1/payment_intents/pi_1': { body: { ...intent, id: 'pi_1', status: 'requires_action' } },
      'GET /v1/payment_intents/search': { body: { data: [other] } },
      'GET /v1/payment_intents': { body: { data: [other] } },
    });
    const { lifecycle } = stripeAt(server.url);
    expect(await lifecycle.findCharge({ ...charge, reference: 'pi_1' })).to.include({
      ...{ reference: 'pi_1', id: charge.paymentId, waitsFor: 'payer' },
    });
    expect(server.requests.map(({ endpoint }) => endpoint)).to.deep.equal(['GET /v1/payment_intents/pi_1']);
    expect(server.requests[0]?.form.get('expand[0]')).to.equal('latest_charge');
  });

  it('is unknown when Stripe does not know the reference of the charge', async () => {
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such intent.' };
    const server = await canned({ 'GET /v1/payment_intents/pi_1': { status: 404, body: { error } } });
    expect(await stripeAt(server.url).lifecycle.findCharge({ ...asked(), reference: 'pi_1' })).to.equal(
      undefined,
    );
  });

  it('can do nothing after the charge was canceled or closed', async () => {
    for (const end of ['cancel', 'close']) {
      const charge = asked();
      const reference = await referenceOf(provider().charge(charge));
      const ended =
        end === 'cancel'
          ? await provider().lifecycle.cancel({ ...charge, reference })
          : await provider().closeCharge(charge);
      if (end === 'cancel') expect(ended).to.deep.equal({ canceled: true, reference });
      else expect(ended).to.have.nested.property('declined.code', 'not_charged');
      await expectClosed(reference);
      expect(await provider().lifecycle.findCharge(charge)).to.deep.equal({ canceled: true, reference });
      expect(await provider().lifecycle.cancel({ ...charge, reference })).to.deep.equal({
        canceled: true,
        reference,
      });
    }
  });

  it('has paid when the consent came before the cancellation', async () => {
    const charge = asked();
    const reference = await referenceOf(provider().charge(charge));
    await stripe().consent(reference);
    const state = await provider().lifecycle.cancel({ ...charge, reference });
    expect(state).to.deep.equal({ reference, amount: charge.amount, id: charge.paymentId });
  });

  it('keeps a secret that is in no error', async () => {
    const message = `No: pi_1_secret_A1, ${returnUrl} and https://hooks.stripe.com/a?b; see https://docs.stripe.com/api.`;
    const error = { type: 'invalid_request_error', code: 'x', message };
    const last_payment_error = { code: 'x', message };
    const metadata = { payment_id: 'p' };
    const failing = await canned({ 'POST /v1/payment_intents': { status: 500, body: { error } } });
    const rejection = await openOutcomeOf(
      stripeAt(failing.url).charge(asked({ payer: { returnUrl } })),
      'provider-failed',
    );
    const declining = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error } },
      'GET /v1/payment_intents/pi_1': {
        body: { id: 'pi_1', status: 'canceled', metadata, last_payment_error },
      },
    });
    const { charge, lifecycle } = stripeAt(declining.url);
    const texts = [
      (rejection.cause as Error).message,
      stringify(await charge(asked({ payer: { returnUrl } }))),
      stringify(await lifecycle.retrieveCharge('pi_1')),
    ];
    for (const text of texts) {
      expect(text).to.include('docs.stripe.com/api');
      expect(text).to.not.match(/secret_A1|shop\.example|hooks\.stripe/);
    }
  });

  it('can use the types of payment methods that the shop has named', async () => {
    const server = await canned({
      'POST /v1/payment_intents': { body: { id: 'pi_1', status: 'succeeded' } },
    });
    const methods = ['card', 'ideal'];
    const options = { secretKey: 'sk_test_1', apiBase: server.url, timeoutMs: 1_000 };
    for (const provider of [stripeProvider(options), stripeProvider({ ...options, methods })])
      await provider.charge(aCharge('pm_card_visa'));
    expect(server.requests.map(({ form }) => [...form].filter(([name]) => /types/.test(name)))).to.deep.equal(
      [
        [['allowed_payment_method_types[0]', 'card']],
        [
          ['allowed_payment_method_types[0]', 'card'],
          ['allowed_payment_method_types[1]', 'ideal'],
        ],
      ],
    );
  });

  it('speaks the version of the API that the installed SDK is made for', async () => {
    expect(apiVersion).to.equal(Stripe.API_VERSION);
    const server = await canned({
      'POST /v1/payment_intents': { body: { id: 'pi_1', status: 'succeeded' } },
    });
    await stripeAt(server.url).charge(aCharge('pm_card_visa'));
    expect(server.requests[0]?.headers['stripe-version']).to.equal(apiVersion);
  });

  const expectClosed = async (reference: string): Promise<void> => {
    const before = (await stripe().ledger()).charges.length;
    await stripe().consent(reference);
    expect((await stripe().ledger()).charges).to.have.lengthOf(before);
    expect(await provider().lifecycle.cancel({ ...aCharge(''), reference })).to.satisfy(
      (state: object) => 'canceled' in state || 'declined' in state,
    );
  };
});
