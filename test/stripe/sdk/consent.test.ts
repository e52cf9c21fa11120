import { expect } from 'chai';
import type Stripe from 'stripe';
import { forEachCase } from '../../support/for-each-case.ts';
import { aPayment, errorOf, runningServer } from './sdk.ts';

const return_url = 'https://shop.example/back';

describe('The Stripe-like server, where the payer is asked', () => {
  const running = runningServer();
  const create = (...payment: Parameters<typeof aPayment>) =>
    running().stripe.paymentIntents.create(aPayment(...payment));
  const retrieve = (id: string) => running().stripe.paymentIntents.retrieve(id);

  it('redirects the payer to a page of Stripe with a card that needs authentication, and charges once they consent', () =>
    forEachCase(
      [
        'pm_card_authenticationRequired',
        'pm_card_authenticationRequiredOnSetup',
        'pm_card_threeDSecure2Required',
      ],
      async (card) => {
        const { id, status, next_action, latest_charge } = await create(card, { return_url });
        expect(status).to.equal('requires_action');
        expect(next_action).to.include({ type: 'redirect_to_url' });
        expect(next_action?.redirect_to_url).to.include({ return_url });
        expect(next_action?.redirect_to_url?.url).to.match(/^https:\/\/hooks\.stripe\.com\//);
        expect(latest_charge).to.equal(null);
        await running().server.consent(id);
        const paid = await retrieve(id);
        expect(paid).to.include({ status: 'succeeded', amount_received: 1_000, next_action: null });
        expect(paid.latest_charge).to.match(/^ch_/);
      },
    ));

  it('leaves the action to Stripe’s library on the page without a return URL, or with use_stripe_sdk', async () => {
    for (const details of [{}, { use_stripe_sdk: true }, { use_stripe_sdk: true, return_url }]) {
      const { next_action, client_secret, id } = await create('pm_card_authenticationRequired', details);
      expect(next_action?.type).to.equal('use_stripe_sdk');
      expect(client_secret).to.match(new RegExp(`^${id}_secret_\\w+$`));
    }
  });

  it('waits for another payment method after the payer refused, and charges nothing', async () => {
    const { id } = await create('pm_card_authenticationRequired', { return_url });
    await running().server.refuse(id);
    const refused = await retrieve(id);
    expect(refused).to.include({
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
    });
    expect(refused.last_payment_error?.code).to.equal('payment_intent_authentication_failure');
    expect((await running().server.ledger()).charges).to.deep.equal([]);
  });

  it('declines a card that has no funds only after the payer consented', async () => {
    const { id } = await create('pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', {
      return_url,
    });
    await running().server.consent(id);
    const { status, last_payment_error, latest_charge } = await retrieve(id);
    expect(status).to.equal('requires_payment_method');
    expect(last_payment_error).to.include({ code: 'card_declined', decline_code: 'insufficient_funds' });
    const charge = await running().stripe.charges.retrieve(String(latest_charge));
    expect(charge).to.include({ status: 'failed', paid: false, failure_code: 'card_declined' });
  });

  it('declines instead of asking off-session, or with error_on_requires_action', async () => {
    for (const details of [{ off_session: true }, { error_on_requires_action: true }]) {
      const error = await errorOf(create('pm_card_authenticationRequired', details));
      expect(error).to.include({ statusCode: 402, type: 'StripeCardError', code: 'authentication_required' });
      expect(error.payment_intent).to.include({ status: 'requires_payment_method' });
    }
    const setUp = await create('pm_card_authenticationRequiredSetupForOffSession', { off_session: true });
    expect(setUp.status).to.equal('succeeded');
  });

  it('lets the page of the payer retrieve and confirm an intent, with its client secret only', async () => {
    const { page } = running();
    const { id, client_secret } = await create('pm_card_authenticationRequired', { return_url });
    await running().server.refuse(id);
    const secret = { client_secret: String(client_secret) };
    expect((await page.paymentIntents.retrieve(id, secret)).status).to.equal('requires_payment_method');
    expect((await errorOf(page.paymentIntents.retrieve(id))).statusCode).to.equal(400);
    expect((await errorOf(page.paymentIntents.cancel(id))).statusCode).to.equal(403);
    const paid = await page.paymentIntents.confirm(id, { ...secret, payment_method: 'pm_card_visa' });
    expect(paid.status).to.equal('succeeded');
  });

  it('cancels an intent that waits for the payer, who can do nothing about it afterwards', async () => {
    const { id } = await create('pm_card_authenticationRequired', { return_url });
    const canceled = await running().stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' });
    expect(canceled).to.include({ status: 'canceled', cancellation_reason: 'abandoned', next_action: null });
    expect(canceled.canceled_at).to.be.a('number');
    await running().server.consent(id);
    expect((await retrieve(id)).status).to.equal('canceled');
    const error = await errorOf(
      running().stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    );
    expect(error.code).to.equal('payment_intent_unexpected_state');
  });

  it('cancels nothing that has succeeded, and shows it with the error', async () => {
    const { id } = await create('pm_card_authenticationRequired', { return_url });
    await running().server.consent(id);
    const error = await errorOf(running().stripe.paymentIntents.cancel(id));
    expect(error).to.include({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(error.payment_intent).to.include({ id, status: 'succeeded' });
  });

  it('repeats the first response to a key, even when the intent has changed since', async () => {
    const payment = aPayment('pm_card_authenticationRequired', { return_url });
    const pay = () => running().stripe.paymentIntents.create(payment, { idempotencyKey: 'k1' });
    const { id } = await pay();
    const cancel = () => running().stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'k2' });
    await running().server.consent(id);
    const { code } = await errorOf(cancel());
    const repeated = await errorOf(cancel());
    expect(repeated.code).to.equal(code);
    expect(repeated.headers).to.include({ 'idempotent-replayed': 'true' });
    const replay = await pay();
    expect(replay).to.include({ id, status: 'requires_action' });
    expect(replay.lastResponse.headers['idempotent-replayed']).to.equal('true');
  });

  it('processes a debit until the bank decides, and it ends as the bank decides', () =>
    forEachCase(
      [
        ['pm_success_de', 'succeeded'],
        ['pm_failedDelayed_de', 'requires_payment_method'],
      ] as const,
      async ([method, ends]) => {
        const first = await create(method);
        const second = await create(method);
        expect(first.status).to.equal('processing');
        expect((await errorOf(running().stripe.paymentIntents.cancel(first.id))).code).to.equal(
          'payment_intent_unexpected_state',
        );
        await running().server.advance(59 * 60 * 1000);
        expect((await retrieve(first.id)).status).to.equal('processing');
        await running().server.advance(60 * 1000);
        for (const { id } of [first, second]) expect((await retrieve(id)).status).to.equal(ends);
      },
    ));

  it('does not debit an account without a mandate', async () => {
    const { mandate_data: _, ...payment } = aPayment('pm_success_de');
    const error = await errorOf(running().stripe.paymentIntents.create(payment));
    expect(error.statusCode).to.equal(400);
    expect(error.payment_intent).to.include({ status: 'requires_confirmation' });
  });

  it('tells which intents are open', async () => {
    const payment_id = 'p1';
    const { id } = await create('pm_card_authenticationRequired', { metadata: { payment_id } });
    await create('pm_card_visa');
    const { open } = await running().server.ledger();
    expect(open).to.deep.equal([{ id, payment_id, status: 'requires_action', payer_present: false }]);
  });

  it('accepts a payment method only of an allowed type', async () => {
    const allowed_payment_method_types: ['card'] = ['card'];
    const error = await errorOf(create('pm_success_de', { allowed_payment_method_types }));
    expect(error.code).to.equal('payment_intent_incompatible_payment_method');
  });

  it('replaces ids by what they name on request', async () => {
    const { id } = await create('pm_card_visa');
    const one = await running().stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    expect(one.latest_charge).to.deep.include({
      object: 'charge',
      payment_intent: id,
      amount_captured: 1_000,
    });
    const { id: refund } = await running().stripe.refunds.create({ payment_intent: id, amount: 100 });
    const deep = await running().stripe.paymentIntents.retrieve(id, {
      expand: ['latest_charge.refunds', 'payment_method'],
    });
    expect(deep.payment_method).to.include({ id: 'pm_card_visa', type: 'card' });
    expect((deep.latest_charge as Stripe.Charge).refunds?.data[0]?.id).to.equal(refund);
    const { data } = await running().stripe.paymentIntents.list({ expand: ['data.latest_charge'] });
    expect(data[0]?.latest_charge).to.deep.include({ object: 'charge' });
  });

  it('rejects parameters that Stripe does not know, and another API version', async () => {
    const unknown = { gift_wrap: 'red' } as object;
    expect((await errorOf(create('pm_card_visa', unknown))).code).to.equal('parameter_unknown');
    const request = running().stripe.paymentIntents.list({}, { apiVersion: '2020-08-27' });
    expect((await errorOf(request)).statusCode).to.equal(400);
  });
});
