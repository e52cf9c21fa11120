import { DomainError } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata, type MetadataPatch } from './metadata.ts';
import type { Money } from './money.ts';
import { type Failure, Payment, type PaymentId } from './payment.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { requireValid } from './rule.ts';
import { text } from './text.ts';
import type { UserId } from './user.ts';

export type RefundId = Id<'refund'>;

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** Where a refund was asked for: here, or at the provider, as in its dashboard. */
export const refundOrigins = ['portico', 'provider'] as const;
export type RefundOrigin = (typeof refundOrigins)[number];

/** A full or partial refund of a payment. */
export interface Refund extends Resource<RefundId> {
  readonly paymentId: PaymentId;
  /** The provider that made the charge and refunds it. */
  readonly provider: string;
  /** The provider's reference of the charge; null when no provider was asked for the payment, nor is for the refund. */
  readonly chargeReference: string | null;
  /** The owner of the payment. */
  readonly userId: UserId;
  readonly amount: Money;
  readonly reason: string | null;
  readonly origin: RefundOrigin;
  readonly status: RefundStatus;
  /** When it succeeded, also where it has failed since. Null before, and of refunds from before there was this field. */
  readonly succeededAt: Instant | null;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
  readonly metadata: Metadata;
}

export const Refund = {
  rules: { reason: text(0, 500) },

  /**
   * Begins a refund. That of a payment without a charge succeeds at once, without a call to the provider.
   * @throws DomainError 'validation'
   */
  begin: (
    id: RefundId,
    payment: Payment,
    details: { readonly amount: Money; readonly reason: string | null },
    at: Instant,
  ): Refund => {
    const chargeReference = Payment.chargeReference(payment);
    return {
      ...newResource(id, at),
      ...requireValid(Refund.rules, details),
      paymentId: payment.id,
      provider: payment.provider,
      chargeReference,
      userId: payment.userId,
      origin: 'portico',
      status: chargeReference === null ? 'succeeded' : 'pending',
      succeededAt: chargeReference === null ? at : null,
      providerReference: null,
      failure: null,
      metadata: Metadata.none,
    };
  },

  /** Begins the record of a refund that was made at the provider, which reports what becomes of it. */
  fromProvider: (
    id: RefundId,
    payment: Payment,
    { amount, reference }: { readonly amount: Money; readonly reference: string },
    at: Instant,
  ): Refund => ({
    ...Refund.begin(id, payment, { amount, reason: null }, at),
    origin: 'provider',
    ...{ status: 'pending', succeededAt: null },
    providerReference: reference,
  }),

  succeed: (refund: Refund, providerReference: string, at: Instant): Refund =>
    updated(Refund.requirePending(refund), { status: 'succeeded', succeededAt: at, providerReference }, at),

  /** The provider has accepted the refund, and reports later what became of it. */
  accept: (refund: Refund, providerReference: string, at: Instant): Refund =>
    updated(Refund.requirePending(refund), { providerReference }, at),

  /** The provider knows the refund under this reference, and does not know the one that was recorded. */
  correct: (refund: Refund, providerReference: string, at: Instant): Refund =>
    updated(refund, { providerReference }, at),

  fail: (refund: Refund, failure: Failure, at: Instant): Refund =>
    updated(Refund.requirePending(refund), { status: 'failed', failure }, at),

  /** The refund has failed at the provider after it had succeeded, as when the payer's account is closed. */
  revert: (refund: Refund, failure: Failure, at: Instant): Refund => {
    if (refund.status !== 'succeeded')
      throw new DomainError('invalid-state', `A refund that is ${refund.status} cannot be reverted.`);
    return updated(refund, { status: 'failed', failure }, at);
  },

  /** @throws DomainError 'validation' when the merged metadata are not valid */
  changeMetadata: (refund: Refund, metadata: MetadataPatch, at: Instant): Refund =>
    updated(refund, { metadata: Metadata.merge(refund.metadata, metadata) }, at),

  /** @throws DomainError 'invalid-state' */
  requirePending: (refund: Refund): Refund => {
    if (refund.status !== 'pending') {
      throw new DomainError('invalid-state', `The refund is already settled: it is ${refund.status}.`);
    }
    return refund;
  },
};
