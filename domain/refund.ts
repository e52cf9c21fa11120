import { DomainError } from './errors.ts';
import type { Id } from './id.ts';
import type { Instant } from './instant.ts';
import type { Money } from './money.ts';
import { type Failure, Payment, type PaymentId } from './payment.ts';
import { born, changed, type Resource } from './resource.ts';
import { keep, text } from './rule.ts';
import type { UserId } from './user.ts';

export type RefundId = Id<'refund'>;

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** Money on its way back to the payer. */
export interface Refund extends Resource<RefundId> {
  readonly paymentId: PaymentId;
  /** Whoever made the charge, and takes it back. */
  readonly provider: string;
  /** What the charge that it takes back is known by at the provider. */
  readonly chargeReference: string;
  /** The payment's owner. */
  readonly userId: UserId;
  readonly amount: Money;
  readonly reason: string | null;
  readonly status: RefundStatus;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
}

export const Refund = {
  rules: { reason: text(0, 500) },

  /** @throws DomainError 'validation' */
  begin: (
    id: RefundId,
    payment: Payment,
    details: { readonly amount: Money; readonly reason: string | null },
    at: Instant,
  ): Refund => ({
    ...born(id, at),
    ...keep(Refund.rules, details),
    paymentId: payment.id,
    provider: payment.provider,
    chargeReference: Payment.chargeReference(payment),
    userId: payment.userId,
    status: 'pending',
    providerReference: null,
    failure: null,
  }),

  succeed: (refund: Refund, providerReference: string, at: Instant): Refund =>
    changed(requirePending(refund), { status: 'succeeded', providerReference }, at),

  fail: (refund: Refund, failure: Failure, at: Instant): Refund =>
    changed(requirePending(refund), { status: 'failed', failure }, at),
};

const requirePending = (refund: Refund): Refund => {
  if (refund.status !== 'pending') {
    throw new DomainError('invalid-state', `A refund that is ${refund.status} is settled.`);
  }
  return refund;
};
