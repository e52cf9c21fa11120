import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { aCharge, referenceOf } from '../contracts/payment-provider.ts';
import { cannedServers, openOutcomeOf, secretKey, stripeAt, stripeProcess } from './stripe.ts';

const hour = 60 * 60 * 1000;

/** When Stripe may have forgotten the key. */
const longAgo = () => Instant.at(Date.now() - 25 * hour);

const found = (...data: readonly unknown[]) => ({ body: { data } });

describe('Closing a charge by Stripe', () => {
  const stripe = stripeProcess();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);

  it('finds it by one search', async () => {
    const charge = aCharge('pm_card_visa');
    const verdict = await provider().charge(charge);
    const { requests } = await stripe().ledger();
    expect(await provider().closeCharge(charge)).to.deep.equal(verdict);
    expect((await stripe().ledger()).requests).to.equal(requests + 1);
  });

  it('looks through no list where the key had never been used', async () => {
    await provider().closeCharge(aCharge('pm_card_visa'));
    expect((await stripe().ledger()).requests).to.equal(2);
  });

  describe('where the search lags behind', () => {
    beforeEach(() => stripe().searchLag(hour));

    it('finds it in the list', async () => {
      const charge = aCharge('pm_card_visa');
      const verdict = await provider().charge(charge);
      expect(await provider().closeCharge(charge)).to.deep.equal(verdict);
      expect((await stripe().ledger()).charges).to.have.lengthOf(1);
    });

    it('finds what was declined too', async () => {
      const charge = aCharge('pm_card_chargeDeclined');
      const verdict = await provider().charge(charge);
      expect(await provider().closeCharge(charge)).to.deep.equal(verdict);
    });

    it('finds it behind many others', async () => {
      const charge = aCharge('pm_card_visa');
      const verdict = await provider().charge(charge);
      await Promise.all(Array.from({ length: 250 }, () => provider().charge(aCharge('pm_card_visa'))));
      expect(await provider().closeCharge(charge)).to.deep.equal(verdict);
    });

    it('finds it when the key is forgotten, and charges nobody again', async () => {
      const charge = aCharge('pm_card_visa', { begunAt: longAgo() });
      const verdict = await provider().charge(charge);
      await stripe().forgetKeys();
      for (const _ of ['once', 'twice']) {
        expect(await provider().closeCharge(charge)).to.deep.equal(verdict);
      }
      expect((await stripe().ledger()).charges).to.have.lengthOf(1);
    });

    it('declines what never came, long ago too, and charges nothing that comes after it', async () => {
      for (const begunAt of [Instant.at(Date.now()), longAgo()]) {
        const charge = aCharge('pm_card_visa', { begunAt });
        const verdict = await provider().closeCharge(charge);
        expect(verdict).to.have.nested.property('declined.code', 'not_charged');
        expect(await provider().charge(charge)).to.deep.equal(verdict);
        expect(await provider().closeCharge(charge)).to.deep.equal(verdict);
      }
      expect((await stripe().ledger()).charges).to.deep.equal([]);
    });
  });

  it('cancels an intent that waits, so that nobody can confirm it', async () => {
    const charge = aCharge('pm_card_visa');
    const post = (path: string, form: Readonly<Record<string, string>>, key: string) =>
      fetch(`${stripe().url}/v1/payment_intents${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secretKey}`, 'Idempotency-Key': key },
        body: new URLSearchParams(form),
      });
    const waiting = await post(
      '',
      {
        amount: '450',
        currency: 'eur',
        payment_method: charge.paymentMethod,
        'metadata[payment_id]': charge.paymentId,
      },
      charge.paymentId,
    );
    const { id, status } = (await waiting.json()) as { id: string; status: string };
    expect(status).to.equal('requires_confirmation');
    expect(await provider().closeCharge(charge)).to.have.nested.property('declined.code', 'not_charged');
    expect((await post(`/${id}/confirm`, {}, 'later')).status).to.equal(400);
    expect((await stripe().ledger()).charges).to.deep.equal([]);
  });

  it('believes one that cannot be canceled any more', async () => {
    const charge = aCharge('pm_card_visa');
    const intent = {
      ...{ id: 'pi_1', status: 'requires_confirmation', metadata: { payment_id: charge.paymentId } },
    };
    const server = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
      'GET /v1/payment_intents': found(intent),
      'POST /v1/payment_intents/pi_1/cancel': {
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' } },
      },
      'GET /v1/payment_intents/pi_1': { body: { ...intent, status: 'succeeded' } },
    });
    expect(await stripeAt(server.url).closeCharge(charge)).to.deep.equal({ reference: 'pi_1' });
  });

  it('knows nothing while the bank has it', async () => {
    const charge = aCharge('pm_card_visa');
    const intent = { id: 'pi_1', status: 'processing', metadata: { payment_id: charge.paymentId } };
    const server = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
      'GET /v1/payment_intents/search': found(intent),
      'GET /v1/payment_intents': found(intent),
    });
    await openOutcomeOf(stripeAt(server.url).closeCharge(charge), 'provider-timeout');
  });

  it('knows nothing when it gets no answer, and is not late to say so', async () => {
    for (const forecast of [{ fail: 1 }, { dropBefore: 1 }]) {
      await stripe().weather(forecast);
      await openOutcomeOf(provider().closeCharge(aCharge('pm_card_visa')), 'provider-failed');
    }
    await stripe().weather({ stall: 1, stallMilliseconds: 15_000 });
    const begun = performance.now();
    const impatient = stripeAt(stripe().url, 2_000);
    await openOutcomeOf(impatient.closeCharge(aCharge('pm_card_visa')), 'provider-timeout');
    expect(performance.now() - begun).to.be.lessThan(3_500);
  });

  it('knows nothing when there is more than it can look through', async () => {
    const charge = aCharge('pm_card_visa');
    const server = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
      'GET /v1/payment_intents': { body: { data: [{ id: 'pi_1', metadata: {} }], has_more: true } },
    });
    const refusal = await openOutcomeOf(stripeAt(server.url).closeCharge(charge), 'provider-failed');
    expect(refusal.message).to.match(/too much/);
    expect(server.requests.length).to.be.lessThan(200);
  });

  it('is content with providers that are less exact', async () => {
    const charge = aCharge('pm_card_visa');
    const noted = { id: 'pi_1', status: 'succeeded', metadata: { payment_id: charge.paymentId } };
    const others = { id: 'pi_2', status: 'succeeded', metadata: {} };
    const replayed = { headers: { 'Idempotent-Replayed': 'true' } };
    for (const [script, reference] of [
      // The key's first answer, although the parameters are others.
      [{ 'POST /v1/payment_intents': { ...replayed, body: { ...noted, metadata: {} } } }, 'pi_1'],
      // A search that finds what nobody looked for, and one that is broken.
      [
        {
          'GET /v1/payment_intents/search': found(others),
          'POST /v1/payment_intents': { ...replayed, body: noted },
        },
        'pi_1',
      ],
      [
        {
          'GET /v1/payment_intents/search': { body: '<html>' },
          'POST /v1/payment_intents': {
            status: 500,
            ...replayed,
            body: { error: { type: 'api_error' } },
          },
          'GET /v1/payment_intents': found(others, noted),
        },
        'pi_1',
      ],
    ] as const) {
      const server = await canned({ 'GET /v1/payment_intents': found(), ...script });
      expect(await referenceOf(stripeAt(server.url).closeCharge(charge))).to.equal(reference);
    }
  });

  it('tells why the card was declined, whatever else was tried', async () => {
    const charge = aCharge('pm_card_visa');
    const metadata = { payment_id: charge.paymentId };
    const refusal = { code: 'card_declined', decline_code: 'lost_card', message: 'No.' };
    const server = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
      'GET /v1/payment_intents': found(
        { id: 'pi_1', status: 'canceled', metadata },
        { id: 'pi_2', status: 'requires_payment_method', metadata, last_payment_error: refusal },
      ),
    });
    expect(await stripeAt(server.url).closeCharge(charge)).to.deep.equal({
      declined: { code: 'lost_card', message: 'No.' },
    });
  });

  it('gives the refusal that the key stands for', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', message: 'No.' };
    const server = await canned({
      'POST /v1/payment_intents': { status: 402, body: { error } },
      'GET /v1/payment_intents': found(),
    });
    expect(await stripeAt(server.url).closeCharge(aCharge('pm_card_visa'))).to.deep.equal({
      declined: { code: 'lost_card', message: 'No.' },
    });
  });
});
