import { expect } from 'chai';
import type Stripe from 'stripe';
import { aPayment, errorOf, runningServer } from './sdk.ts';

const day = 24 * 60 * 60 * 1000;

describe('The Stripe-like server, where money is authorized first', () => {
  const running = runningServer();
  const authorize = (card = 'pm_card_visa', details: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    running().stripe.paymentIntents.create(
      aPayment(card, { capture_method: 'manual', expand: ['latest_charge'], ...details }),
    );
  const capture = (id: string, amount_to_capture?: number) =>
    running().stripe.paymentIntents.capture(id, amount_to_capture === undefined ? {} : { amount_to_capture });
  const retrieve = (id: string) =>
    running().stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  const refunds = async (payment_intent: string) =>
    (await running().stripe.refunds.list({ payment_intent })).data;
  const types = async () => (await running().stripe.events.list({ limit: 4 })).data.map(({ type }) => type);

  it('holds it for seven days', async () => {
    const intent = await authorize();
    expect(intent).to.include({ status: 'requires_capture', amount_capturable: 1_000, amount_received: 0 });
    const charge = intent.latest_charge as Stripe.Charge;
    expect(charge).to.include({ status: 'succeeded', captured: false, amount_captured: 0 });
    expect(charge.payment_method_details?.card?.capture_before).to.equal(charge.created + (7 * day) / 1000);
    expect((await running().server.ledger()).charges).to.deep.equal([]);
  });

  it('holds it once the payer has consented', async () => {
    const { id, status } = await authorize('pm_card_authenticationRequired');
    expect(status).to.equal('requires_action');
    await running().server.consent(id);
    expect((await retrieve(id)).status).to.equal('requires_capture');
  });

  it('captures all of it, once', async () => {
    const { id } = await authorize();
    expect(await capture(id)).to.include({
      status: 'succeeded',
      amount_received: 1_000,
      amount_capturable: 0,
    });
    expect((await types()).slice(0, 2)).to.deep.equal(['payment_intent.succeeded', 'charge.captured']);
    const error = await errorOf(capture(id));
    expect(error.code).to.equal('payment_intent_unexpected_state');
    expect(error.payment_intent).to.include({ id, status: 'succeeded' });
    expect((await running().server.ledger()).charges).to.have.lengthOf(1);
    expect(await refunds(id)).to.deep.equal([]);
  });

  const inBalance = async (id: string) => {
    const { latest_charge } = await retrieve(id);
    const { id: charge } = latest_charge as Stripe.Charge;
    const { balance_transaction } = await running().stripe.charges.retrieve(charge, {
      expand: ['balance_transaction'],
    });
    return (balance_transaction as Stripe.BalanceTransaction).amount;
  };

  it('captures a part of it, and shows no refund of the rest', async () => {
    const { id } = await authorize();
    expect((await errorOf(capture(id, 1_001))).code).to.equal('amount_too_large');
    expect(await capture(id, 600)).to.include({ status: 'succeeded', amount: 1_000, amount_received: 600 });
    expect((await retrieve(id)).latest_charge).to.include({ amount_captured: 600, amount_refunded: 0 });
    expect(await refunds(id)).to.deep.equal([]);
    expect(await types()).to.not.include('charge.refunded');
    expect(await inBalance(id)).to.equal(600);
    expect(
      (await errorOf(running().stripe.refunds.create({ payment_intent: id, amount: 601 }))).code,
    ).to.equal('amount_too_large');
    await running().stripe.refunds.create({ payment_intent: id, amount: 600 });
    const { charges, refunds: moved } = await running().server.ledger();
    expect([charges[0]?.amount, ...moved.map(({ amount }) => amount)]).to.deep.equal([600, 600]);
  });

  it('shows the rest as a refund in an account with an older version of the API', async () => {
    await running().server.hasOldVersion();
    const { id } = await authorize();
    await running().server.captureInDashboard(id, 600);
    expect((await retrieve(id)).latest_charge).to.include({ amount_captured: 600, amount_refunded: 400 });
    expect((await refunds(id)).map(({ amount }) => amount)).to.deep.equal([400]);
    expect(await types()).to.include('charge.refunded');
    expect(await inBalance(id)).to.equal(1_000);
    expect((await running().server.ledger()).refunds).to.deep.equal([]);
  });

  it('repeats the first response to a key', async () => {
    const { id } = await authorize();
    const ask = () =>
      running().stripe.paymentIntents.capture(id, { amount_to_capture: 300 }, { idempotencyKey: 'k1' });
    await ask();
    const again = await ask();
    expect(again).to.include({ status: 'succeeded', amount_received: 300 });
    expect(again.lastResponse.headers['idempotent-replayed']).to.equal('true');
  });

  it('captures nothing that the bank declines, and can be tried again', async () => {
    const { id } = await authorize();
    await running().server.declineCaptures(true);
    expect(await errorOf(capture(id))).to.include({ statusCode: 402, code: 'card_declined' });
    await running().server.declineCaptures(false);
    expect((await capture(id)).status).to.equal('succeeded');
  });

  it('captures it although the response is an error, and nothing while another request uses the intent', async () => {
    const { id } = await authorize();
    await running().server.script('busy', 'failAfter');
    expect(await errorOf(capture(id))).to.include({ statusCode: 429, code: 'lock_timeout' });
    expect((await retrieve(id)).status).to.equal('requires_capture');
    expect((await errorOf(capture(id))).statusCode).to.equal(500);
    expect((await retrieve(id)).status).to.equal('succeeded');
  });

  it('gives it back when the intent is canceled', async () => {
    const { id } = await authorize();
    expect((await running().stripe.paymentIntents.cancel(id)).status).to.equal('canceled');
    expect((await retrieve(id)).latest_charge).to.include({ captured: false, refunded: false });
    expect((await errorOf(capture(id))).code).to.equal('payment_intent_unexpected_state');
  });

  it('gives it back after seven days', async () => {
    const { id } = await authorize();
    await running().server.advance(7 * day - 60_000);
    expect((await retrieve(id)).status).to.equal('requires_capture');
    await running().server.advance(60_000);
    const expired = await retrieve(id);
    expect(expired).to.include({
      status: 'canceled',
      cancellation_reason: 'expired',
      amount_capturable: 0,
    });
    expect(await refunds(id)).to.deep.equal([]);
    expect(await types()).to.include.members(['charge.expired', 'payment_intent.canceled']);
    const { charges, refunds: moved } = await running().server.ledger();
    expect({ charges, moved }).to.deep.equal({ charges: [], moved: [] });
  });

  it('is disputed only after it was captured', async () => {
    const { id } = await authorize('pm_card_createDispute');
    expect((await running().stripe.disputes.list()).data).to.deep.equal([]);
    await capture(id, 500);
    expect((await running().stripe.disputes.list({ payment_intent: id })).data[0]).to.include({
      amount: 500,
    });
  });
});
