import type { RefundRequest, RefundState } from '#application/ports/payment-provider.ts';
import type { Call } from '../api/client.ts';
import { attempt, isReplayed } from '../api/errors.ts';
import { stripeAmount } from '../api/money.ts';
import { findInList, maxPageSize } from '../api/pagination.ts';
import { notRefunded, refundIdIn, refundStateOf } from './refund-state.ts';

export const makeRefund = async (call: Call, request: RefundRequest): Promise<RefundState> => {
  const { stripe, budget } = call;
  const { refundId, chargeReference, amount } = request;
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
  if ('keyUsed' in creation) return closeRefund(call, request);
  if ('declined' in creation) return { declined: creation.declined };
  const refund = creation.made;
  // A replayed response shows the refund as it was then, so its current state is retrieved.
  const isStale = isReplayed(refund.lastResponse.headers) && refund.status !== 'succeeded';
  return refundStateOf(isStale ? await stripe.refunds.retrieve(refund.id, {}, budget()) : refund);
};

/** What became of a refund of which no request is in flight any more. */
export const closeRefund = async (
  { stripe, budget }: Call,
  { refundId, chargeReference }: RefundRequest,
): Promise<RefundState> => {
  const [refund] = await findInList(
    (cursor) =>
      stripe.refunds.list({ payment_intent: chargeReference, limit: maxPageSize, ...cursor }, budget()),
    (refund) => refundIdIn(refund) === refundId,
  );
  return refund === undefined ? notRefunded : refundStateOf(refund);
};
