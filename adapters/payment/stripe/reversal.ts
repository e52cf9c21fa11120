import type Stripe from 'stripe';
import type { Reversal, Verdict } from '#application/ports/payment-provider.ts';
import { stripeAmount } from './amount.ts';
import { isReplayed } from './failures.ts';
import { findInList, pageSize } from './pages.ts';
import { answerTo } from './response.ts';
import type { Time } from './time.ts';
import { notRefunded, refundVerdict } from './verdicts.ts';

export const makeReversal = async (stripe: Stripe, reversal: Reversal, time: Time): Promise<Verdict> => {
  const { refundId, chargeReference, amount } = reversal;
  const answer = await answerTo(
    stripe.refunds.create(
      {
        payment_intent: chargeReference,
        amount: stripeAmount(amount),
        metadata: { refund_id: refundId },
      },
      { idempotencyKey: refundId, ...time() },
    ),
  );
  if ('spent' in answer) return closeReversal(stripe, reversal, time);
  if ('declined' in answer) return { declined: answer.declined };
  const refund = answer.made;
  // A stored answer does not age, but what it is about does.
  const isOld = isReplayed(refund.lastResponse.headers) && refund.status !== 'succeeded';
  return refundVerdict(isOld ? await stripe.refunds.retrieve(refund.id, {}, time()) : refund);
};

/** All that there will ever be: whatever was asked for is over. */
export const closeReversal = async (
  stripe: Stripe,
  { refundId, chargeReference }: Reversal,
  time: Time,
): Promise<Verdict> => {
  const [refund] = await findInList(
    (after) => stripe.refunds.list({ payment_intent: chargeReference, limit: pageSize, ...after }, time()),
    ({ metadata }) => refundIdIn(metadata) === refundId,
  );
  return refund === undefined ? notRefunded : refundVerdict(refund);
};

const refundIdIn = (metadata: { readonly refund_id?: string } | null): string | undefined =>
  metadata?.refund_id;
