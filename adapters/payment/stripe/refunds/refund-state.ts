import type Stripe from 'stripe';
import type { ProviderOutcome, RefundState } from '#application/ports/charge.ts';
import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import type { Failure } from '#domain/payment.ts';
import { moneyOf } from '../api/money.ts';

export const notRefunded: ProviderOutcome = {
  declined: { code: 'not_refunded', message: 'The provider made no refund.' },
};

/** What became of a refund that was asked for here. https://docs.stripe.com/refunds */
export const refundStateOf = (refund: Stripe.Refund): RefundState => {
  const { id: reference, amount, currency, payment_intent: intent } = refund;
  const failure = failureOf(refund);
  if (failure !== null) return { declined: failure };
  const refundId = refundIdIn(refund);
  return {
    reference,
    amount: moneyOf(amount, currency),
    ...(refundId && { id: refundId }),
    ...(intent && { chargeReference: typeof intent === 'string' ? intent : intent.id }),
    ...(refund.status !== 'succeeded' && { waitsFor: 'provider' }),
  };
};

/** A refund of a charge, whether it was asked for here or at Stripe. */
export const providerRefund = (refund: Stripe.Refund): ProviderRefund => {
  const failure = failureOf(refund);
  return {
    reference: refund.id,
    refundId: refundIdIn(refund) ?? null,
    amount: moneyOf(refund.amount, refund.currency),
    status: failure !== null ? 'failed' : refund.status === 'succeeded' ? 'succeeded' : 'pending',
    failure,
  };
};

export const refundIdIn = ({ metadata }: Pick<Stripe.Refund, 'metadata'>): string | undefined => {
  const { refund_id: id }: { readonly refund_id?: string } = metadata ?? {};
  return id || undefined;
};

/** Why a refund moved no money in the end. @returns null while it can */
const failureOf = ({ status, failure_reason }: Stripe.Refund): Failure | null => {
  if (status === 'canceled') return { code: 'canceled', message: 'The refund was canceled.' };
  if (status !== 'failed') return null;
  return { code: failure_reason || 'failed', message: 'The refund failed.' };
};
