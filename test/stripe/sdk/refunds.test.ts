import { expect } from 'chai';
import { aPayment, errorOf, runningServer } from './sdk.ts';

describe('The Stripe-like server, where money is refunded', () => {
  const running = runningServer();
  const paidWith = async (card: string): Promise<string> =>
    (await running().stripe.paymentIntents.create(aPayment(card))).id;
  const refund = (payment_intent: string, amount?: number) =>
    running().stripe.refunds.create({ payment_intent, ...(amount !== undefined && { amount }) });
  const retrieve = (id: string) => running().stripe.refunds.retrieve(id);
  const chargeOf = async (intent: string) =>
    (await running().stripe.charges.list({ payment_intent: intent })).data[0];

  it('refunds at once, up to what is left', async () => {
    const intent = await paidWith('pm_card_visa');
    expect(await refund(intent, 300)).to.include({
      status: 'succeeded',
      amount: 300,
      payment_intent: intent,
    });
    expect((await errorOf(refund(intent, 701))).code).to.equal('amount_too_large');
    expect(await refund(intent)).to.include({ amount: 700 });
    expect((await errorOf(refund(intent))).code).to.equal('charge_already_refunded');
    expect(await chargeOf(intent)).to.include({ amount_refunded: 1_000, refunded: true });
  });

  it('refunds nothing that was not paid', async () => {
    const { id } = await running().stripe.paymentIntents.create(aPayment('pm_success_de'));
    const error = await errorOf(refund(id));
    expect(error).to.include({ statusCode: 400, type: 'StripeInvalidRequestError' });
    expect(error.code).to.equal(undefined);
  });

  it('leaves a refund of pm_card_pendingRefund pending, until it succeeds', async () => {
    const { id, status } = await refund(await paidWith('pm_card_pendingRefund'));
    expect(status).to.equal('pending');
    await running().server.advance(60 * 60 * 1000);
    expect((await retrieve(id)).status).to.equal('succeeded');
  });

  it('leaves any refund pending when the test says so, until it succeeds', async () => {
    await running().server.refundsBegin('pending');
    const { id, status } = await refund(await paidWith('pm_card_visa'));
    expect(status).to.equal('pending');
    await running().server.banksDecide();
    expect((await retrieve(id)).status).to.equal('succeeded');
  });

  it('lets a refund of pm_card_refundFail begin succeeded and fail later, after which there is something left', async () => {
    const intent = await paidWith('pm_card_refundFail');
    const { id, status } = await refund(intent);
    expect(status).to.equal('succeeded');
    await running().server.banksDecide();
    expect(await retrieve(id)).to.include({ status: 'failed', failure_reason: 'expired_or_canceled_card' });
    expect(await chargeOf(intent)).to.include({ amount_refunded: 0, refunded: false });
    const again = await refund(intent);
    expect(again.id).to.not.equal(id);
  });

  it('cancels only a refund that requires action', async () => {
    const intent = await paidWith('pm_card_visa');
    const { id: succeeded } = await refund(intent, 100);
    expect((await errorOf(running().stripe.refunds.cancel(succeeded))).statusCode).to.equal(400);
    await running().server.refundsBegin('requires_action');
    const { id, status } = await refund(intent, 900);
    expect(status).to.equal('requires_action');
    expect((await running().stripe.refunds.cancel(id)).status).to.equal('canceled');
    expect(await chargeOf(intent)).to.include({ amount_refunded: 100 });
  });

  it('ends a refund as the test says', async () => {
    const { id } = await refund(await paidWith('pm_card_visa'));
    await running().server.moveRefund(id, 'failed', 'lost_or_stolen_card');
    expect(await retrieve(id)).to.include({ status: 'failed', failure_reason: 'lost_or_stolen_card' });
  });

  it('lists a refund that was made in the dashboard among those of the charge, without metadata', async () => {
    const intent = await paidWith('pm_card_visa');
    const { id: own } = await refund(intent, 100);
    const other = await running().server.refundInDashboard(intent, 200);
    const { data } = await running().stripe.refunds.list({ payment_intent: intent });
    expect(data.map(({ id }) => id)).to.deep.equal([other, own]);
    expect(data[0]?.metadata).to.deep.equal({});
  });

  it('repeats the first response to a key, even when the refund has failed since', async () => {
    const params = { payment_intent: await paidWith('pm_card_refundFail') };
    const ask = () => running().stripe.refunds.create(params, { idempotencyKey: 'k1' });
    const { id } = await ask();
    await running().server.banksDecide();
    expect(await ask()).to.include({ id, status: 'succeeded' });
  });
});
