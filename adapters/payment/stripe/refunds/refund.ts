import type { Reversal, ReversalState } from '#application/ports/payment-provider.ts';
import type { Call } from '../api/client.ts';
import { attempt, isReplayed } from '../api/errors.ts';
import { stripeAmount } from '../api/money.ts';
import { findInList, maxPageSize } from '../api/pagination.ts';
import { notRefunded, refundIdIn, reversalState } from './refund-state.ts';

export const makeReversal = async (call: Call, reversal: Reversal): Promise<ReversalState> => {
  const { stripe, budget } = call;
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
  if ('keyUsed' in creation) return closeReversal(call, reversal);
  if ('declined' in creation) return { declined: creation.declined };
  const refund = creation.made;
  // A replayed response shows the refund as it was then, so its current state is retrieved.
  const isStale = isReplayed(refund.lastResponse.headers) && refund.status !== 'succeeded';
  return reversalState(isStale ? await stripe.refunds.retrieve(refund.id, {}, budget()) : refund);
};

/** What became of a reversal of which no request is in flight any more. */
export const closeReversal = async (
  { stripe, budget }: Call,
  { refundId, chargeReference }: Reversal,
): Promise<ReversalState> => {
  const [refund] = await findInList(
    (cursor) =>
      stripe.refunds.list({ payment_intent: chargeReference, limit: maxPageSize, ...cursor }, budget()),
    (refund) => refundIdIn(refund) === refundId,
  );
  return refund === undefined ? notRefunded : reversalState(refund);
};
