import type { Instant } from './instant.ts';
import { Money } from './money.ts';
import type { OrderId } from './order.ts';
import type { Payment, PaymentId } from './payment.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';

export type DisputeId = Id<'dispute'>;

/** `warning` is an inquiry, which withdraws no money yet, and `closed` one that has ended. */
export const disputeStatuses = [
  'warning',
  'needs_response',
  'under_review',
  'won',
  'lost',
  'closed',
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A payer's objection to a charge at their bank (chargeback), as the provider reports it. */
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
  /** When it was won, lost or closed. Null while it is not, and of disputes from before there was this field. */
  readonly closedAt: Instant | null;
}

export const Dispute = {
  open: (id: DisputeId, payment: Payment, details: DisputeDetails, at: Instant): Dispute => ({
    ...newResource(id, at),
    paymentId: payment.id,
    orderId: payment.orderId,
    ...details,
    closedAt: isClosed(details) ? at : null,
  }),

  /** The dispute as the provider reports it now. @returns the same object when nothing is new */
  follow: (dispute: Dispute, details: DisputeDetails, at: Instant): Dispute =>
    isSame(dispute, details)
      ? dispute
      : updated(dispute, { ...details, closedAt: closedAfter(dispute, details, at) }, at),

  /** Whether the dispute is open at the bank, so that a refund would pay the same money twice. */
  isOpen: ({ status }: Pick<Dispute, 'status'>): boolean =>
    status === 'needs_response' || status === 'under_review',

  /** Whether the bank has decided, or the inquiry has ended. */
  isClosed: (dispute: Pick<Dispute, 'status'>): boolean => isClosed(dispute),

  /** Whether the provider has withdrawn the money: the dispute is open or lost. */
  withdrawsMoney: ({ status }: Pick<Dispute, 'status'>): boolean =>
    Dispute.isOpen({ status }) || status === 'lost',

  /** The sum of the disputes whose money the provider has withdrawn. */
  sum: (disputes: readonly Dispute[], currency: string): Money =>
    disputes
      .filter(Dispute.withdrawsMoney)
      .reduce((sum, { amount }) => Money.plus(sum, amount), Money.zero(currency)),
};

const isSame = (dispute: DisputeDetails, { amount, ...words }: DisputeDetails): boolean =>
  Money.equals(dispute.amount, amount) &&
  (Object.keys(words) as (keyof typeof words)[]).every((word) => dispute[word] === words[word]);

const isClosed = ({ status }: Pick<Dispute, 'status'>): boolean =>
  status === 'won' || status === 'lost' || status === 'closed';

/** A dispute that was closed stays so since then, unless it is open again. */
const closedAfter = (before: Dispute, details: DisputeDetails, at: Instant): Instant | null => {
  if (!isClosed(details)) return null;
  return isClosed(before) ? before.closedAt : at;
};
