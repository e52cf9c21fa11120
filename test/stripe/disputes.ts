import type { Account } from './account.ts';
import { allowOnly, type Form, flag } from './form.ts';
import type { Charge, Dispute, DisputeStatus } from './objects.ts';
import { pageOf, pagingParameters } from './pages.ts';
import { failRefund } from './refunds.ts';
import { ok, rejected, type StripeResponse } from './response.ts';
import { amountLeft, disputeView as view } from './views.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** How long evidence is accepted. Card networks allow 7 to 21 days. https://docs.stripe.com/disputes/responding */
const evidenceMilliseconds = 9 * dayMilliseconds;

/** After which an inquiry ends that was not escalated. https://docs.stripe.com/disputes/how-disputes-work */
const inquiryMilliseconds = 120 * dayMilliseconds;

export interface DisputeDetails {
  /** By default `fraudulent`. */
  readonly reason?: string;
  readonly isInquiry?: boolean;
  /** By default all that was not given back. */
  readonly amount?: number;
  /** Whether the bank lets the merchant respond; by default it does. */
  readonly acceptsEvidence?: boolean;
}

/** What the payer begins at the bank about a charge that has taken money. */
export const disputeCharge = (account: Account, charge: Charge, details: DisputeDetails): Dispute => {
  const { reason = 'fraudulent', isInquiry = false, amount, acceptsEvidence = true } = details;
  const dispute = account.disputes.add({
    charge,
    reason,
    amount: amount ?? amountLeft(charge),
    dueAt: acceptsEvidence ? account.clock.now() + evidenceMilliseconds : null,
    evidence: null,
    submissions: 0,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  });
  charge.disputes.push(dispute);
  account.emit('charge.dispute.created', view(dispute));
  if (!isInquiry) account.emit('charge.dispute.funds_withdrawn', view(dispute));
  account.clock.after(evidenceMilliseconds, () => {
    if (dispute.status === 'needs_response') moveDispute(account, dispute, 'lost');
  });
  account.clock.after(inquiryMilliseconds, () => {
    if (dispute.status.startsWith('warning_')) moveDispute(account, dispute, 'warning_closed');
  });
  return dispute;
};

const closed: readonly DisputeStatus[] = ['won', 'lost', 'warning_closed', 'prevented'];

export const moveDispute = (account: Account, dispute: Dispute, status: DisputeStatus): void => {
  if (dispute.status === status) return;
  const isEscalated = dispute.status.startsWith('warning_') && !status.startsWith('warning_');
  dispute.status = status;
  account.emit(`charge.dispute.${closed.includes(status) ? 'closed' : 'updated'}`, view(dispute));
  if (status === 'won') account.emit('charge.dispute.funds_reinstated', view(dispute));
  if (!isEscalated) return;
  account.emit('charge.dispute.funds_withdrawn', view(dispute));
  for (const refund of dispute.charge.refunds)
    failRefund(account, refund, 'charge_for_pending_refund_disputed');
};

export const getDispute = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(view(account.disputes.require(id)));

export const listDisputes = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'charge', 'payment_intent', ...pagingParameters);
  const charge = form.get('charge');
  const intent = form.get('payment_intent');
  const rows = account.disputes.rows.filter(
    (each) =>
      (charge === undefined || each.charge.id === charge) &&
      (intent === undefined || each.charge.intent.id === intent),
  );
  return ok(pageOf(rows, form, view));
};

/** Evidence as in https://docs.stripe.com/testing#disputes decides; any other is reviewed until a test decides. */
const verdicts: Readonly<Record<string, readonly [dispute: DisputeStatus, inquiry: DisputeStatus]>> = {
  winning_evidence: ['won', 'warning_closed'],
  losing_evidence: ['lost', 'warning_closed'],
  escalate_inquiry_evidence: ['under_review', 'needs_response'],
};

export const updateDispute = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'evidence', 'submit');
  const dispute = account.disputes.require(id);
  if (closed.includes(dispute.status)) return rejected('dispute_closed', 'This dispute is already closed');
  const evidence = form.get('evidence[uncategorized_text]');
  dispute.evidence = evidence ?? dispute.evidence;
  if (dispute.evidence === null || (form.has('submit') && !flag(form, 'submit'))) return ok(view(dispute));
  const isInquiry = dispute.status.startsWith('warning_');
  dispute.submissions += 1;
  moveDispute(account, dispute, isInquiry ? 'warning_under_review' : 'under_review');
  const verdict = verdicts[dispute.evidence]?.[isInquiry ? 1 : 0];
  if (verdict !== undefined) {
    account.clock.after(account.bankMilliseconds, () => moveDispute(account, dispute, verdict));
  }
  return ok(view(dispute));
};

/** Accepts that a dispute is lost. */
export const closeDispute = (account: Account, _form: Form, id: string): StripeResponse => {
  const dispute = account.disputes.require(id);
  if (closed.includes(dispute.status)) return rejected('dispute_closed', 'This dispute is already closed');
  moveDispute(account, dispute, dispute.status.startsWith('warning_') ? 'warning_closed' : 'lost');
  return ok(view(dispute));
};
