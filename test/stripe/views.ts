import type { Charge, Dispute, Intent, Refund } from './objects.ts';
import { seconds } from './pages.ts';
import { paymentMethod } from './payment-methods.ts';

/** The fields of https://docs.stripe.com/api/payment_intents/object that a caller may need here. */
export const intentView = (intent: Intent) => ({
  id: intent.id,
  object: 'payment_intent',
  allowed_payment_method_types: intent.allowedTypes,
  amount: intent.amount,
  amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
  amount_received: intent.status === 'succeeded' ? (intent.latestCharge?.amountCaptured ?? 0) : 0,
  canceled_at: intent.canceledAt === null ? null : seconds(intent.canceledAt),
  cancellation_reason: intent.cancellationReason,
  capture_method: intent.captureMethod,
  client_secret: intent.clientSecret,
  created: seconds(intent.createdAt),
  currency: intent.currency,
  last_payment_error: intent.lastPaymentError,
  latest_charge: intent.latestCharge?.id ?? null,
  livemode: false,
  metadata: intent.metadata,
  next_action: intent.nextAction ?? null,
  payment_method: intent.paymentMethod,
  status: intent.status,
});

/** The fields of https://docs.stripe.com/api/charges/object that a caller may need here. */
export const chargeView = (charge: Charge) => {
  const { intent, captured, status, captureBefore } = charge;
  const refunded = sumOf(charge.refunds);
  const { type } = paymentMethod(charge.paymentMethod);
  return {
    id: charge.id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: charge.amountCaptured,
    amount_refunded: refunded,
    balance_transaction: captured ? `txn_${charge.id}` : null,
    captured,
    created: seconds(charge.createdAt),
    currency: intent.currency,
    disputed: charge.disputes.length > 0,
    failure_code: charge.failure?.code ?? null,
    failure_message: charge.failure?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid: status === 'succeeded',
    payment_intent: intent.id,
    payment_method: charge.paymentMethod,
    payment_method_details: {
      type,
      [type]: captureBefore === null ? {} : { capture_before: seconds(captureBefore) },
    },
    refunded: captured && amountLeft(charge) === 0,
    status,
  };
};

/** What can still be refunded of what was captured. */
export const amountLeft = ({ amountCaptured, refunds }: Charge): number =>
  amountCaptured - sumOf(refunds.filter(({ releases }) => !releases));

/** What was given back, or is on its way. */
const sumOf = (refunds: readonly Refund[]): number =>
  refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0);

/**
 * The fields of https://docs.stripe.com/api/balance_transactions/object that a caller may need here. Older versions of the API take all
 * that was authorized, and give the rest back by another transaction.
 */
export const balanceTransactionView = ({ id, intent, amountCaptured, refunds }: Charge) => ({
  id: `txn_${id}`,
  object: 'balance_transaction',
  amount: refunds.some(({ releases }) => releases) ? intent.amount : amountCaptured,
  currency: intent.currency,
  exchange_rate: null,
  source: id,
});

/** The fields of https://docs.stripe.com/api/refunds/object that a caller may need here. */
export const refundView = ({ charge, status, failureReason, ...refund }: Refund) => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amount,
  // Nothing moves on the merchant's balance when nothing of what was authorized is captured.
  balance_transaction: charge.captured ? `txn_${refund.id}` : null,
  charge: charge.id,
  created: seconds(refund.createdAt),
  currency: charge.intent.currency,
  metadata: refund.metadata,
  payment_intent: charge.intent.id,
  reason: refund.reason,
  status,
  ...(failureReason !== null && { failure_reason: failureReason }),
});

/** Whether a dispute has taken the money, so that the charge cannot be refunded. */
export const isWithdrawn = ({ status }: Dispute): boolean =>
  status !== 'won' && !status.startsWith('warning_');

/** The fields of https://docs.stripe.com/api/disputes/object that a caller may need here. */
export const disputeView = (dispute: Dispute) => ({
  id: dispute.id,
  object: 'dispute',
  amount: dispute.amount,
  charge: dispute.charge.id,
  created: seconds(dispute.createdAt),
  currency: dispute.charge.intent.currency,
  evidence: { uncategorized_text: dispute.evidence },
  evidence_details: {
    due_by: dispute.dueAt === null ? 0 : seconds(dispute.dueAt),
    has_evidence: dispute.evidence !== null,
    submission_count: dispute.submissions,
  },
  is_charge_refundable: !isWithdrawn(dispute),
  livemode: false,
  metadata: {},
  payment_intent: dispute.charge.intent.id,
  reason: dispute.reason,
  status: dispute.status,
});
