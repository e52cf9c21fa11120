import type Stripe from 'stripe';
import type { Reversal, Verdict } from '#application/ports/payment-provider.ts';
import type { TimeBudget } from './client.ts';
import { attempt, isReplayed } from './errors.ts';
import { notRefunded, refundVerdict, stripeAmount } from './mapping.ts';
import { findInList, maxPageSize } from './pagination.ts';

export const makeReversal = async (
  stripe: Stripe,
  reversal: Reversal,
  budget: TimeBudget,
): Promise<Verdict> => {
  const { refundId, chargeReference, amount } = reversal;
  const creation = await attempt(
    stripe.refunds.create(
      {
        payment_intent: chargeReference,
        amount: stripeAmount(amount),
        metadata: { refund_id: refundId },
      },
      { idempotencyKey: refundId, ...budget() },
    ),
  );
  if ('keyUsed' in creation) return closeReversal(stripe, reversal, budget);
  if ('declined' in creation) return { declined: creation.declined };
  const refund = creation.made;
  // A replayed response shows the refund as it was then, so its current state is retrieved.
  const isStale = isReplayed(refund.lastResponse.headers) && refund.status !== 'succeeded';
  return refundVerdict(isStale ? await stripe.refunds.retrieve(refund.id, {}, budget()) : refund);
};

/** The final verdict on a reversal of which no request is in flight any more. */
export const closeReversal = async (
  stripe: Stripe,
  { refundId, chargeReference }: Reversal,
  budget: TimeBudget,
): Promise<Verdict> => {
  const [refund] = await findInList(
    (cursor) =>
      stripe.refunds.list({ payment_intent: chargeReference, limit: maxPageSize, ...cursor }, budget()),
    ({ metadata }) => refundIdIn(metadata) === refundId,
  );
  return refund === undefined ? notRefunded : refundVerdict(refund);
};

const refundIdIn = (metadata: { readonly refund_id?: string } | null): string | undefined =>
  metadata?.refund_id;
