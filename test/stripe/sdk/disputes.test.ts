import { expect } from 'chai';
import type Stripe from 'stripe';
import { forEachCase } from '../../support/for-each-case.ts';
import { aPayment, errorOf, runningServer } from './sdk.ts';

const day = 24 * 60 * 60 * 1000;

describe('The Stripe-like server, where payers dispute', () => {
  const running = runningServer();
  const disputed = async (card: string) => {
    const intent = await running().stripe.paymentIntents.create(aPayment(card));
    const { data } = await running().stripe.disputes.list({ payment_intent: intent.id });
    return { intent, dispute: data[0] as Stripe.Dispute };
  };
  const retrieve = (id: string) => running().stripe.disputes.retrieve(id);
  const respond = (id: string, uncategorized_text: string) =>
    running().stripe.disputes.update(id, { evidence: { uncategorized_text } });
  const refund = (payment_intent: string) => running().stripe.refunds.create({ payment_intent, amount: 400 });

  it('disputes a charge of certain cards at once, which cannot be refunded then', () =>
    forEachCase(
      [
        ['pm_card_createDispute', 'fraudulent'],
        ['pm_card_createDisputeProductNotReceived', 'product_not_received'],
      ] as const,
      async ([card, reason]) => {
        await running().server.reset();
        const { intent, dispute } = await disputed(card);
        expect(intent.status).to.equal('succeeded');
        expect(dispute).to.include({ status: 'needs_response', reason, amount: 1_000 });
        expect(dispute).to.include({ charge: intent.latest_charge, is_charge_refundable: false });
        expect(dispute.evidence_details.due_by).to.be.greaterThan(dispute.created);
        expect((await errorOf(refund(intent.id))).code).to.equal('charge_disputed');
      },
    ));

  it('begins an inquiry for pm_card_createDisputeInquiry, whose charge can be refunded', async () => {
    const { intent, dispute } = await disputed('pm_card_createDisputeInquiry');
    expect(dispute).to.include({ status: 'warning_needs_response', is_charge_refundable: true });
    expect((await refund(intent.id)).status).to.equal('succeeded');
  });

  it('reviews evidence, and decides by what it says', () =>
    forEachCase(
      [
        ['pm_card_createDispute', 'winning_evidence', 'under_review', 'won'],
        ['pm_card_createDispute', 'losing_evidence', 'under_review', 'lost'],
        ['pm_card_createDisputeInquiry', 'winning_evidence', 'warning_under_review', 'warning_closed'],
        [
          'pm_card_createDisputeInquiry',
          'escalate_inquiry_evidence',
          'warning_under_review',
          'needs_response',
        ],
      ] as const,
      async ([card, evidence, reviewed, ends]) => {
        await running().server.reset();
        const { dispute } = await disputed(card);
        expect((await respond(dispute.id, evidence)).status).to.equal(reviewed);
        await running().server.advance(60 * 60 * 1000);
        const { status, evidence_details } = await retrieve(dispute.id);
        expect(status).to.equal(ends);
        expect(evidence_details).to.include({ has_evidence: true, submission_count: 1 });
      },
    ));

  it('lets refunds fail that were made before an inquiry was escalated', async () => {
    const { intent, dispute } = await disputed('pm_card_createDisputeInquiry');
    const { id } = await refund(intent.id);
    await running().server.moveDispute(dispute.id, 'needs_response');
    expect(await running().stripe.refunds.retrieve(id)).to.include({
      status: 'failed',
      failure_reason: 'charge_for_pending_refund_disputed',
    });
  });

  it('lets a charge be refunded again after the dispute was won', async () => {
    const { intent, dispute } = await disputed('pm_card_createDispute');
    await running().server.moveDispute(dispute.id, 'won');
    expect((await refund(intent.id)).status).to.equal('succeeded');
  });

  it('is lost without evidence after the due date, or when the merchant accepts it', async () => {
    const { dispute } = await disputed('pm_card_createDispute');
    const { dispute: accepted } = await disputed('pm_card_createDispute');
    expect((await running().stripe.disputes.close(accepted.id)).status).to.equal('lost');
    await running().server.advance(9 * day);
    expect((await retrieve(dispute.id)).status).to.equal('lost');
    expect((await errorOf(respond(dispute.id, 'winning_evidence'))).statusCode).to.equal(400);
  });

  it('ends an inquiry after 120 days', async () => {
    const { dispute } = await disputed('pm_card_createDisputeInquiry');
    await running().server.advance(120 * day);
    expect((await retrieve(dispute.id)).status).to.equal('warning_closed');
  });

  it('has no due date when the bank accepts no evidence', async () => {
    const { id } = await running().stripe.paymentIntents.create(aPayment('pm_card_visa'));
    const dispute = await running().server.dispute(id, { acceptsEvidence: false });
    expect((await retrieve(dispute)).evidence_details.due_by).to.equal(0);
  });

  it('disputes a part of any charge when the test says so, with every status', async () => {
    const { id } = await running().stripe.paymentIntents.create(aPayment('pm_card_visa'));
    const dispute = await running().server.dispute(id, { amount: 250, reason: 'duplicate' });
    expect(await retrieve(dispute)).to.include({ amount: 250, reason: 'duplicate', payment_intent: id });
    for (const status of [
      'under_review',
      'appeal_needs_response',
      'appeal_under_review',
      'prevented',
    ] as const) {
      await running().server.moveDispute(dispute, status);
      expect((await retrieve(dispute)).status).to.equal(status);
    }
    expect((await running().server.ledger()).disputes).to.deep.equal([
      { id: dispute, payment_intent: id, amount: 250, reason: 'duplicate', status: 'prevented' },
    ]);
  });
});
