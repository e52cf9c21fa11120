import { expect } from 'chai';
import { aCharge, referenceOf } from '../../contracts/payment-provider.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { impatientAt } from './late-responses.ts';
import { cannedServers, openOutcomeOf, secretKey, stripeAt, stripeServer } from './stripe.ts';

const hour = 60 * 60 * 1000;

/** When Stripe may have forgotten the key, in milliseconds. */
const longAgo = 24.5 * hour;

const found = (...data: readonly unknown[]) => ({ body: { data } });

describe('Closing a charge by Stripe', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);

  it('finds it by one search', async () => {
    const charge = aCharge('pm_card_visa');
    const outcome = await provider().charge(charge);
    const { requests } = await stripe().ledger();
    expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    expect((await stripe().ledger()).requests).to.equal(requests + 1);
  });

  it('reads no list when the key was never used', async () => {
    await provider().closeCharge(aCharge('pm_card_visa'));
    expect((await stripe().ledger()).requests).to.equal(2);
  });

  describe('while the search index lags behind', () => {
    beforeEach(() => stripe().searchLag(hour));

    it('finds it in the list', async () => {
      const charge = aCharge('pm_card_visa');
      const outcome = await provider().charge(charge);
      expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
      expect((await stripe().ledger()).charges).to.have.lengthOf(1);
    });

    it('finds what was declined too', async () => {
      const charge = aCharge('pm_card_chargeDeclined');
      const outcome = await provider().charge(charge);
      expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    });

    it('finds it behind many others', async () => {
      const charge = aCharge('pm_card_visa');
      const outcome = await provider().charge(charge);
      await Promise.all(Array.from({ length: 250 }, () => provider().charge(aCharge('pm_card_visa'))));
      expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    });

    it('finds it after the key has expired, and does not charge again', async () => {
      const charge = aCharge('pm_card_visa', { age: longAgo });
      const outcome = await provider().charge(charge);
      await stripe().purgeIdempotencyKeys();
      for (const _ of ['once', 'twice']) {
        expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
      }
      expect((await stripe().ledger()).charges).to.have.lengthOf(1);
    });

    it('declines what never arrived, even long ago, and charges nothing that arrives later', async () => {
      for (const age of [0, longAgo]) {
        const charge = aCharge('pm_card_visa', { age });
        const outcome = await provider().closeCharge(charge);
        expect(outcome).to.have.nested.property('declined.code', 'not_charged');
        expect(await provider().charge(charge)).to.deep.equal(outcome);
        expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
      }
      expect((await stripe().ledger()).charges).to.deep.equal([]);
    });
  });

  it('cancels an unconfirmed intent, so that it cannot be confirmed', async () => {
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

  it('accepts the outcome of an intent that cannot be canceled any more', async () => {
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
    expect(await referenceOf(stripeAt(server.url).closeCharge(charge))).to.equal('pi_1');
  });

  it('leaves it as it is while the bank processes it, for a moment or for days', () =>
    forEachCase(
      [
        ['', 0],
        [', for days', 72 * hour],
      ] as const,
      async ([, age]) => {
        const charge = aCharge('pm_card_visa', { age });
        const intent = { id: 'pi_1', status: 'processing', amount: 450, currency: 'eur' };
        const listed = found({ ...intent, metadata: { payment_id: charge.paymentId } });
        const server = await canned({
          'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
          'GET /v1/payment_intents/search': listed,
          'GET /v1/payment_intents': listed,
        });
        expect(await stripeAt(server.url).closeCharge(charge)).to.deep.equal({
          ...{ reference: 'pi_1', id: charge.paymentId, amount: charge.amount },
          waitsFor: 'provider',
        });
      },
    ));

  it('cancels an intent that was unconfirmed for days, or accepts its outcome', async () => {
    const charge = aCharge('pm_card_visa', { age: 72 * hour });
    const metadata = { payment_id: charge.paymentId };
    const intent = { id: 'pi_1', status: 'requires_action', metadata };
    const canceled = await canned({
      'GET /v1/payment_intents/search': found(intent),
      'POST /v1/payment_intents/pi_1/cancel': { body: { ...intent, status: 'canceled' } },
    });
    const outcome = await stripeAt(canceled.url).closeCharge(charge);
    expect(outcome).to.have.nested.property('declined.code', 'not_charged');
    expect(canceled.requests).to.have.lengthOf(2);
    const confirmed = await canned({
      'GET /v1/payment_intents/search': found(intent),
      'POST /v1/payment_intents/pi_1/cancel': {
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' } },
      },
      'GET /v1/payment_intents/pi_1': { body: { ...intent, status: 'succeeded' } },
    });
    expect(await referenceOf(stripeAt(confirmed.url).closeCharge(charge))).to.equal('pi_1');
  });

  it('has an unknown outcome without a response', async () => {
    for (const networkFaults of [{ fail: 1 }, { dropBefore: 1 }]) {
      await stripe().setNetworkFaults(networkFaults);
      await openOutcomeOf(provider().closeCharge(aCharge('pm_card_visa')), 'provider-failed');
    }
  });

  it('throws once all its requests together have waited for the timeout', async () => {
    await stripe().setNetworkFaults({ stall: 1, stallMilliseconds: 60_000 });
    const { provider: impatient, waitedMs } = impatientAt(stripe(), 500);
    await openOutcomeOf(impatient.closeCharge(aCharge('pm_card_visa')), 'provider-timeout');
    expect((await stripe().ledger()).requests).to.equal(2);
    expect(waitedMs()).to.equal(500);
  });

  it('has an unknown outcome when the list is too long to search', async () => {
    const charge = aCharge('pm_card_visa');
    const server = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
      'GET /v1/payment_intents': { body: { data: [{ id: 'pi_1', metadata: {} }], has_more: true } },
    });
    const rejection = await openOutcomeOf(stripeAt(server.url).closeCharge(charge), 'provider-failed');
    expect(rejection.message).to.match(/too many/);
    expect(server.requests.length).to.be.lessThan(200);
  });

  it('works with less exact providers', async () => {
    const charge = aCharge('pm_card_visa');
    const noted = { id: 'pi_1', status: 'succeeded', metadata: { payment_id: charge.paymentId } };
    const others = { id: 'pi_2', status: 'succeeded', metadata: {} };
    const replayed = { headers: { 'Idempotent-Replayed': 'true' } };
    for (const [script, reference] of [
      // The key's first answer, although the parameters are others.
      [{ 'POST /v1/payment_intents': { ...replayed, body: { ...noted, metadata: {} } } }, 'pi_1'],
      // A search that returns unrelated intents, and one that fails.
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

  it('returns why the card was declined, whatever else was tried', async () => {
    const charge = aCharge('pm_card_visa');
    const metadata = { payment_id: charge.paymentId };
    const rejection = { code: 'card_declined', decline_code: 'lost_card', message: 'No.' };
    const server = await canned({
      'POST /v1/payment_intents': { status: 400, body: { error: { type: 'idempotency_error' } } },
      'GET /v1/payment_intents': found(
        { id: 'pi_1', status: 'canceled', metadata },
        { id: 'pi_2', status: 'requires_payment_method', metadata, last_payment_error: rejection },
      ),
    });
    expect(await stripeAt(server.url).closeCharge(charge)).to.deep.equal({
      declined: { code: 'lost_card', message: 'No.' },
    });
  });

  it('returns the decline that is stored under the key', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', message: 'No.' };
    const server = await canned({
      'POST /v1/payment_intents': { status: 402, body: { error } },
      'GET /v1/payment_intents': found(),
    });
    expect(await stripeAt(server.url).closeCharge(aCharge('pm_card_visa'))).to.deep.equal({
      declined: { code: 'lost_card', message: 'No.' },
    });
  });

  describe('when its key was used before', () => {
    const spent = { status: 400, body: { error: { type: 'idempotency_error' } } };

    it('searches the list back to the charge’s age, by Stripe’s clock', async () => {
      const charge = aCharge('pm_card_visa', { age: 30_000 });
      const longGone = Date.UTC(2000, 0, 1) / 1000;
      const noted = { status: 'succeeded', metadata: { payment_id: charge.paymentId } };
      const page = (...data: readonly object[]) => ({ body: { data, has_more: true } });
      const server = await canned({
        'POST /v1/payment_intents': spent,
        'GET /v1/payment_intents': [
          page({ id: 'pi_3', created: longGone, metadata: {} }),
          page({ id: 'pi_2', created: longGone - 29, ...noted }),
          page({ id: 'pi_1', created: longGone - 95, metadata: {} }),
          page({ id: 'pi_0', created: longGone - 99, metadata: {} }),
        ],
      });
      expect(await referenceOf(stripeAt(server.url).closeCharge(charge))).to.equal('pi_2');
      const walked = server.requests.filter(({ endpoint }) => endpoint === 'GET /v1/payment_intents');
      expect(walked.map(({ form }) => form.get('starting_after'))).to.deep.equal([null, 'pi_3', 'pi_2']);
    });

    it('relies on the search alone when the index is complete', async () => {
      const charge = aCharge('pm_card_visa', { age: 26 * hour });
      const server = await canned({ 'GET /v1/payment_intents/search': found() });
      const outcome = await stripeAt(server.url).closeCharge(charge);
      expect(outcome).to.have.nested.property('declined.code', 'not_charged');
      expect(server.requests).to.have.lengthOf(1);
    });
  });

  describe('when its key cannot be blocked', () => {
    const rejected = (param: string) => ({
      status: 400,
      body: { error: { type: 'invalid_request_error', code: 'parameter_invalid', message: 'No.', param } },
    });

    it('has an unknown outcome while the charge may be in flight', async () => {
      const server = await canned({
        'POST /v1/payment_intents': rejected('confirm'),
        'GET /v1/payment_intents': found(),
      });
      const close = (age: number) => stripeAt(server.url).closeCharge(aCharge('pm_card_visa', { age }));
      await openOutcomeOf(close(23.9 * hour), 'provider-timeout');
      expect(await close(24.1 * hour)).to.have.nested.property('declined.code', 'not_charged');
    });

    it('is declined at once when no charge of that amount or currency would be taken', async () => {
      for (const param of ['amount', 'currency']) {
        const server = await canned({
          'POST /v1/payment_intents': rejected(param),
          'GET /v1/payment_intents': found(),
        });
        const outcome = await stripeAt(server.url).closeCharge(aCharge('pm_card_visa'));
        expect(outcome).to.have.nested.property('declined.code', 'parameter_invalid');
      }
    });

    it('still finds the charge, although the provider fails for the key', async () => {
      const charge = aCharge('pm_card_visa');
      const noted = { id: 'pi_1', status: 'succeeded', metadata: { payment_id: charge.paymentId } };
      const failing = { status: 500, body: { error: { type: 'api_error' } } };
      const close = async (intents: readonly object[]) => {
        const server = await canned({
          'POST /v1/payment_intents': failing,
          'GET /v1/payment_intents': found(...intents),
        });
        return stripeAt(server.url).closeCharge(charge);
      };
      expect(await referenceOf(close([noted]))).to.equal('pi_1');
      await openOutcomeOf(close([]), 'provider-failed');
    });
  });

  it('redacts tokens in the reason of a decline', async () => {
    const charge = aCharge('pm_card_visa');
    const rejection = { code: 'card_declined', message: "Declined: 'pm_1SecretOfAda', sk_live_9." };
    const server = await canned({
      'GET /v1/payment_intents/search': found({
        ...{ id: 'pi_1', status: 'requires_payment_method', last_payment_error: rejection },
        metadata: { payment_id: charge.paymentId },
      }),
    });
    expect(await stripeAt(server.url).closeCharge(charge)).to.deep.equal({
      declined: { code: 'card_declined', message: "Declined: '…', …." },
    });
  });
});
