import type Stripe from 'stripe';
import type { DisputeDetails, DisputeStatus } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import { moneyOf } from '../api/money.ts';

/** https://docs.stripe.com/api/disputes/object#dispute_object-status */
const statuses: ReadonlyMap<string, DisputeStatus> = new Map([
  ['warning_needs_response', 'warning'],
  ['warning_under_review', 'warning'],
  ['warning_closed', 'closed'],
  ['needs_response', 'needs_response'],
  ['under_review', 'under_review'],
  ['appeal_needs_response', 'needs_response'],
  ['appeal_under_review', 'under_review'],
  ['won', 'won'],
  ['lost', 'lost'],
]);

/** A dispute in Portico's words. @param onUnknownStatus called with a status that Stripe did not have when this was written */
export const disputeDetails = (
  dispute: Stripe.Dispute,
  onUnknownStatus: (status: string) => void,
): DisputeDetails => {
  const dueAt = dispute.evidence_details?.due_by;
  return {
    amount: moneyOf(dispute.amount, dispute.currency),
    reason: dispute.reason,
    status: statusOf(dispute, onUnknownStatus),
    evidenceDueAt: dueAt ? Instant.at(dueAt * 1000) : null,
    providerReference: dispute.id,
  };
};

const statusOf = (dispute: Stripe.Dispute, onUnknownStatus: (status: string) => void): DisputeStatus => {
  const { status } = dispute;
  // Prevented before it became formal, which may or may not have withdrawn the money.
  if (status === 'prevented') return hasWithdrawnMoney(dispute) ? 'lost' : 'closed';
  const known = statuses.get(status);
  if (known === undefined) onUnknownStatus(status);
  return known ?? 'under_review';
};

const hasWithdrawnMoney = ({ balance_transactions }: Stripe.Dispute): boolean =>
  (balance_transactions ?? []).reduce((sum, { amount }) => sum + amount, 0) < 0;
