import { expect } from 'chai';
import type Stripe from 'stripe';
import { aPayment, errorOf, runningServer } from './sdk.ts';

const day = 24 * 60 * 60 * 1000;

describe('The events of the Stripe-like server', () => {
  const running = runningServer();
  const events = async (params: Stripe.EventListParams = {}) =>
    (await running().stripe.events.list({ limit: 100, ...params })).data;
  const types = async (params?: Stripe.EventListParams) => (await events(params)).map(({ type }) => type);
  const create = (card: string) => running().stripe.paymentIntents.create(aPayment(card));

  it('tell what happened, the newest first, each with the object as it was then', async () => {
    const { id } = await create('pm_card_authenticationRequired');
    await running().server.consent(id);
    const listed = await events();
    expect(listed.map(({ type }) => type)).to.deep.equal([
      'payment_intent.succeeded',
      'charge.succeeded',
      'payment_intent.requires_action',
      'payment_intent.created',
    ]);
    expect(listed[2]?.data.object).to.include({ id, object: 'payment_intent', status: 'requires_action' });
    const [newest] = listed;
    expect(await running().stripe.events.retrieve(String(newest?.id))).to.deep.include({ id: newest?.id });
  });

  it('tell that a charge was declined or is processed', async () => {
    await errorOf(create('pm_card_chargeDeclined'));
    await create('pm_failed_de');
    await running().server.banksDecide();
    expect(await types()).to.deep.equal([
      ...['payment_intent.payment_failed', 'charge.failed'],
      ...['payment_intent.processing', 'charge.pending', 'payment_intent.created'],
      ...['payment_intent.payment_failed', 'charge.failed', 'payment_intent.created'],
    ]);
  });

  it('tell of refunds and their late failures', async () => {
    const { id: payment_intent } = await create('pm_card_refundFail');
    await running().stripe.refunds.create({ payment_intent });
    await running().server.banksDecide();
    expect((await types()).slice(0, 5)).to.deep.equal([
      ...['refund.failed', 'charge.refund.updated', 'refund.updated'],
      ...['charge.refunded', 'refund.created'],
    ]);
  });

  it('tell of disputes, and of money only when it moves', async () => {
    await create('pm_card_createDisputeInquiry');
    expect((await types())[0]).to.equal('charge.dispute.created');
    await create('pm_card_createDispute');
    const [dispute] = (await running().stripe.disputes.list()).data;
    await running().server.moveDispute(String(dispute?.id), 'won');
    expect((await types()).slice(0, 4)).to.deep.equal([
      ...['charge.dispute.funds_reinstated', 'charge.dispute.closed'],
      ...['charge.dispute.funds_withdrawn', 'charge.dispute.created'],
    ]);
  });

  it('are filtered by type, by types and by a group of types', async () => {
    await create('pm_card_visa');
    expect(await types({ type: 'charge.succeeded' })).to.deep.equal(['charge.succeeded']);
    expect(await types({ type: 'payment_intent.*' })).to.have.lengthOf(2);
    expect(await types({ types: ['charge.succeeded', 'payment_intent.created'] })).to.have.lengthOf(2);
    const error = await errorOf(events({ type: 'charge.*', types: ['charge.succeeded'] }));
    expect(error.statusCode).to.equal(400);
  });

  it('are filtered by time', async () => {
    await create('pm_card_visa');
    await running().server.advance(60_000);
    await create('pm_card_visa');
    const [newest] = await events();
    const since = (newest?.created ?? 0) - 30;
    expect(await events({ created: { gte: since } })).to.have.lengthOf(3);
    expect(await events({ created: { lt: since } })).to.have.lengthOf(3);
  });

  it('are paged in both directions', async () => {
    for (const _ of Array.from({ length: 5 })) await create('pm_card_visa');
    const all = (await events()).map(({ id }) => id);
    expect(all).to.have.lengthOf(15);
    const { stripe } = running();
    const paged = await stripe.events.list({ limit: 4 }).autoPagingToArray({ limit: 100 });
    expect(paged.map(({ id }) => id)).to.deep.equal(all);
    const page = await stripe.events.list({ limit: 2, ending_before: String(all[5]) });
    expect(page.data.map(({ id }) => id)).to.deep.equal(all.slice(3, 5));
    expect(page.has_more).to.equal(true);
    const missing = stripe.events.list({ starting_after: 'evt_unknown' });
    expect((await errorOf(missing)).code).to.equal('resource_missing');
  });

  it('are forgotten after 30 days', async () => {
    await create('pm_card_visa');
    const [newest] = await events();
    await running().server.advance(30 * day);
    expect(await events()).to.deep.equal([]);
    expect((await errorOf(running().stripe.events.retrieve(String(newest?.id)))).statusCode).to.equal(404);
  });

  it('are listed late when the test says so', async () => {
    await running().server.eventLag(60_000);
    await create('pm_card_visa');
    expect(await events()).to.deep.equal([]);
    await running().server.advance(60_000);
    expect(await events()).to.have.lengthOf(3);
  });
});
