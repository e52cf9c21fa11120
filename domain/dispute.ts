import type { Instant } from './instant.ts';
import type { Money } from './money.ts';
import type { OrderId } from './order.ts';
import type { Payment, PaymentId } from './payment.ts';
import { type Id, newResource, type Resource } from './resource.ts';

export type DisputeId = Id<'dispute'>;

/** `warning` is an inquiry, which takes no money yet, and `closed` one that has ended. */
export const disputeStatuses = [
  'warning',
  'needs_response',
  'under_review',
  'won',
  'lost',
  'closed',
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A payer's objection to a charge at their bank, as the provider tells it. */
export interface DisputeDetails {
  readonly amount: Money;
  /** The provider's word. */
  readonly reason: string;
  readonly status: DisputeStatus;
  /** Until when evidence can be given at the provider. */
  readonly evidenceDueAt: Instant | null;
  readonly providerReference: string;
}

export interface Dispute extends Resource<DisputeId>, DisputeDetails {
  readonly paymentId: PaymentId;
  readonly orderId: OrderId;
}

export const Dispute = {
  open: (id: DisputeId, payment: Payment, details: DisputeDetails, at: Instant): Dispute => ({
    ...newResource(id, at),
    paymentId: payment.id,
    orderId: payment.orderId,
    ...details,
  }),
};
